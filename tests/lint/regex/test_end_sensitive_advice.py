"""`end-sensitive-condition` names real longer words, and suggests patterns that work."""

from __future__ import annotations

import re

import pytest

from tests.lint.case_files import findings_of
from ttsr_ls.esregex.finality.finality import final_form
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.regex.longer_words import IN_CODE, IN_PROSE
from ttsr_ls.rules.condition import compile_condition


def early(source: str, scope: str = "") -> list[Finding]:
    quoted = source.replace("'", "''")
    (findings,) = findings_of([("rule.md", f"---\ncondition: '{quoted}'\n{scope}---\nSay so.\n")])
    return [finding for finding in findings if finding.code == "end-sensitive-condition"]


@pytest.mark.parametrize(
    "source",
    [
        r"mod tests\b",
        r"adb-[\d.]+\.azuredatabricks\.net\b",
        r"(?i)partitioned\s+by\b",
        r"\broot cause\b",
        r"\bpnpm\s+(?:add|install)\b",
        r"\bstd::sync::mpsc\b",
        r"(?i)PURGE\s*=\s*TRUE\b",
        r"\bjson\.Unmarshal\(&item\b",
        r"(?m)(?:^|[;&|]\s*)herdr\b",
        r"\bgit\s+(add|commit)\b",
        r"\bTODO\b",
        r"\bsee_?x1\b",
    ],
)
def test_a_word_without_a_known_longer_word_has_no_finding(source: str) -> None:
    assert early(source) == []


@pytest.mark.parametrize(
    ("source", "scope", "longer"),
    [
        (r"\bgit\b", "scope: tool:bash\n", "gitignore"),
        (r"\bpython\b", "scope: tool:bash\n", "python3"),
        (r"\.unwrap\b", "scope: tool:edit(*.rs)\n", ".unwrap_or"),
        (r"\b(?:herdr|spawn)\b", "scope: tool:edit(*.rs)\n", "spawn_blocking"),
        (r"\bany\b", "scope: text\n", "anything"),
        (r"(?i)\bANY\b", "scope: text\n", "anything"),
    ],
)
def test_find_longer_word_returns_the_longer_word(source: str, scope: str, longer: str) -> None:
    (finding,) = early(source, scope)
    assert finding.severity.value == "info"
    assert f"the text can go on to `{longer}`" in finding.message


def test_a_longer_word_of_prose_is_not_used_for_code() -> None:
    assert early(r": any\b", "scope: tool:edit(*.ts)\n") == []


@pytest.mark.parametrize(("word", "longer"), [*IN_CODE.items(), *IN_PROSE.items()])
def test_longer_words_begin_with_their_shorter_word(word: str, longer: str) -> None:
    assert longer.startswith(word)
    assert re.fullmatch(r"\w+", longer)
    assert len(longer) > len(word)


ADVISED = re.compile(r"such as `([^`]+)`\. A text")


@pytest.mark.parametrize(
    ("source", "fires", "silent"),
    [
        (
            r"(?i)\bUNION\b(?!\s+(ALL|DISTINCT)\b)",
            ["select 1 union select 2", "UNION\n(select 1)"],
            ["select 1 union all select 2", "UNION DISTINCT x"],
        ),
        (r"unwrap(?!_or)", ["x.unwrap()", "x.unwrap();"], ["x.unwrap_or(1)", "x.unwrap_or_else(f)"]),
        (r"as (?!const)", ["x as number;"], ["x as const;"]),
        (r"\bgit push\b(?! --dry-run)", ["git push origin main\n"], ["git push --dry-run origin\n"]),
        (r"git push --force(?!-with-lease)", ["git push --force origin"], ["git push --force-with-lease origin"]),
        (r"\b(?:any|unknown)\b(?!\[)", ["x: any;"], ["x: any[];"]),
    ],
)
def test_the_suggested_pattern_keeps_its_meaning(source: str, fires: list[str], silent: list[str]) -> None:
    (finding,) = early(source)
    advised = ADVISED.search(finding.message)
    assert advised is not None, finding.message
    pattern = compile_condition(advised[1]).pattern
    matcher, final = BacktrackMatcher(pattern, 10_000), BacktrackMatcher(final_form(pattern), 10_000)
    for text in fires:
        assert matcher.test(text), (advised[1], text)
    for text in silent:
        assert not any(matcher.test(text[:end]) for end in range(len(text) + 1)), (advised[1], text)
    for text in (*fires, *silent):
        for end in range(len(text) + 1):
            assert matcher.test(text[:end]) == final.test(text[:end])


@pytest.mark.parametrize("source", [r"foo(?![\s\S]*bar)", r"x(?!y)(?=z|$)", r"(?:a(?!b)|c)$"])
def test_conditions_without_a_decided_form_get_no_suggestion(source: str) -> None:
    assert all("such as `" + source not in finding.message for finding in early(source))
