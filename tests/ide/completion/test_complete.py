"""What is offered at a place of a rule file, finished or not."""

from __future__ import annotations

import pytest

from ttsr_ls.ide.completion.complete import complete_rule
from ttsr_ls.ide.completion.completion import Completion, CompletionKind
from ttsr_ls.ide.completion.plain_snippet import snippet_as_text
from ttsr_ls.lint.checks.file.untouched_template import UNTOUCHED_TEMPLATE
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.engine import check_file
from ttsr_ls.rules.stream import Source
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.text import LineIndex

FILES = ("src/a.ts", "src/b.ts", "src/parts/d.tsx", "lib/c.py", "README.md")


def completions(text: str, mark: str = "|", path: str = "a.md") -> tuple[Completion, ...]:
    """What is offered at a mark."""
    offset = text.index(mark)
    text = text.replace(mark, "", 1)
    return complete_rule(read_rule(text, name="a", path=path), LineIndex(text), offset, lambda: FILES)


def offered(text: str, mark: str = "|") -> list[tuple[str, str]]:
    """What is offered at a mark, each as label and the text that it would replace."""
    without = text.replace(mark, "", 1)
    return [(one.label, without[one.span.start : one.span.end]) for one in completions(text, mark)]


def test_missing_keys_are_offered_at_the_start_of_a_line() -> None:
    found = dict(offered("---\ncondition: x\nsco|\n---\n"))
    assert found["scope"] == "sco"
    assert "condition" not in found


def test_the_tokens_of_all_streams_are_offered() -> None:
    assert {source.value for source in Source} <= {label for label, _ in offered("---\nscope: |\n---\n")}


@pytest.mark.parametrize(
    ("key", "value", "given"),
    [
        ("scope", " text, |", {"text"}),
        ("scope", " [text, tool:bash, t|]", {"text", "tool:bash"}),
        ("scope", "\n  - |\n  - 'thinking'", {"thinking"}),
        ("scope", " text|", set()),
        ("scope", " tool:edit(*.ts), |", set()),
        ("agents", " main, |", {"main"}),
    ],
)
def test_an_existing_token_is_not_offered_again(key: str, value: str, given: set[str]) -> None:
    labels = {label for label, _ in offered(f"---\ncondition: a\n{key}:{value}\n---\n")}
    assert labels == {label for label, _ in offered(f"---\ncondition: a\n{key}: |\n---\n")} - given


def test_the_values_of_a_key_are_offered_behind_it() -> None:
    assert ("prose-only", "pro") in offered("---\ninterruptMode: pro|\n---\n")
    assert offered("---\nenabled: |\n---\n") == [("true", ""), ("false", "")]
    assert offered("---\nalways-apply: f|\n---\n") == [("true", "f"), ("false", "f")]


@pytest.mark.parametrize(
    "text",
    [
        "---\ncondition: a|\n---\n",
        "---\ncondition:\n  - a|\n---\n",
        "---\n---\nbody|\n",
        "no frontmatter|",
        "---\nx: y|\n---\n",
    ],
)
def test_nothing_is_offered_elsewhere(text: str) -> None:
    assert offered(text) == []


def test_keys_and_values_have_different_kinds() -> None:
    (first, *_) = completions("---\ninterruptMode: |\n---\n")
    assert first.kind is CompletionKind.VALUE


@pytest.mark.parametrize("text", ["|", "\n|", "---|", "---\n|"])
@pytest.mark.parametrize("path", [".omp/rules/no-log.md", ".pi/rules/no-log.md"])
def test_an_empty_file_is_offered_a_whole_rule_without_findings(text: str, path: str) -> None:
    found = completions(text, path=path)
    assert [one.kind for one in found] == [CompletionKind.RULE] * len(found)
    assert found
    for one in found:
        rule = snippet_as_text(one.text)
        assert "${" not in rule
        findings = check_file(read_rule(rule, name="no-log", path=path), LintContext(location=path))
        assert {finding.code for finding in findings} <= {UNTOUCHED_TEMPLATE}, "nothing but what is left to the author"


@pytest.mark.parametrize(
    ("text", "label", "replaced"),
    [
        ("---\nscope: |", "text", ""),
        ("---\nscope: te|", "text", "te"),
        ("---\nscope: text, tool:ed|", "tool:edit", "tool:ed"),
        ("---\ncondition: 'a\nscope: [text, to|\n---\n", "tool:bash", "to"),
        ("---\nscope:\n  - thi|", "thinking", "thi"),
        ("---\nscope: tool:edit(*.|", "*.ts", "*."),
        ("---\nscope: 'tool:write(|", "src/**", ""),
        ("---\nglobs: s|\n---\n", "src/**", "s"),
        ("---\nscope: tool:edit(src/|", "src/**/*.ts", "src/"),
        ("---\nscope: tool:edit(src/|", "src/parts/**", "src/"),
        ("---\nscope: tool:edit(src/|", "src/**", "src/"),
        ("---\nscope: tool:edit(src/pa|", "src/parts/**", "src/pa"),
        ("---\nscope: tool:edit(src/**/|", "src/**/*.tsx", "src/**/"),
        ("---\nscope: tool:edit(*.ts), tool:write( src/parts/|", "src/parts/**/*.tsx", "src/parts/"),
        ("---\nagents: !|\n---\n", "!main", "!"),
        ("---\ncond|", "condition", "cond"),
        ('---\ncondition: "open\nsc|', "scope", "sc"),
        ("---\ncondition: 'a\\|'\n---\n", "\\b", "\\"),
        ("---\ncondition:\n  - '(?|", "(?:", "(?"),
        ("---\ncondition: '(|", "(?i)", "("),
        # Editors close what is opened.
        ("---\ncondition: '(|)'\n---\n", "(?i)", "()"),
        ("---\ncondition: '(?|)'\n---\n", "(?s)", "(?)"),
        ("---\ncondition: '(|)'\n---\n", "(?:", "("),
    ],
)
def test_values_are_offered_in_files_that_are_not_finished(text: str, label: str, replaced: str) -> None:
    assert (label, replaced) in offered(text)


def test_globs_are_offered_only_below_the_typed_folders() -> None:
    found = {label for label, _ in offered("---\nscope: tool:edit(src/|")}
    assert found == {"src/**/*.ts", "src/**/*.tsx", "src/parts/**", "src/**"}
    assert offered("---\nscope: tool:edit(none/|") == []


@pytest.mark.parametrize(
    "text", ["---\ncondition: 'a\\\\|", "---\ncondition: '\\(|", "---\na: b\n---\nx: |", "text\ncond|"]
)
def test_nothing_is_offered_in_plain_text(text: str) -> None:
    assert offered(text) == []


def test_only_the_start_of_a_condition_takes_flags() -> None:
    assert "(?i)" not in dict(offered("---\ncondition: 'a(|"))
    assert "(?:" in dict(offered("---\ncondition: 'a(|"))


def test_completions_of_a_pattern_are_documented() -> None:
    for text in ("---\ncondition: '(|", "---\ncondition: '\\|"):
        found = completions(text)
        assert len(found) >= 8
        assert all(one.detail for one in found)
