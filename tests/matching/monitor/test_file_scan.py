"""Scanning a file finds the same matches as its rules, although most of them are not evaluated."""

import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from time import thread_time

import pytest

from tests.rules.rule_files import registration_of, rule_of
from ttsr_ls.matching.ast.search import AstFailure, AstMatches, NoAstSearch
from ttsr_ls.matching.monitor.file_scan import FileRuleMatch, FileScan, MatchLocation
from ttsr_ls.matching.monitor.match_spans import MAX_MATCHES
from ttsr_ls.matching.rule_file_filter import RuleFileFilter
from ttsr_ls.matching.streams.resumable_search import ResumableSearch
from ttsr_ls.rules.path_glob import path_globs
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.stream import Source, StreamContext
from ttsr_ls.text import Span

GLOBS = [
    glob
    for glob, _ in json.loads(gzip.decompress((Path(__file__).parents[2] / "vectors/globs.json.gz").read_bytes()))[
        "handwritten"
    ]
]
PATHS = [
    "/p/src/a.ts",
    "/p/a.test.ts",
    "/p/src/deep/b.py",
    "/p/.hidden",
    "/p/{a}",
    "/p/src/!x.ts",
    "/p/a b.ts",
    "/p/C\\d.ts",
]


def forms(path: str) -> tuple[str, ...]:
    return (path, path.removeprefix("/p/"), path.rpartition("/")[2])


def is_admitted(rule: Rule, paths: tuple[str, ...]) -> bool:
    """The specification: a call of `edit` or of `write` to the file passes the scope and the globs."""
    contexts = [StreamContext(Source.TOOL, tool, paths) for tool in ("edit", "write")]
    globs = path_globs(rule.globs)
    return any(map(rule.scope.admits, contexts)) and (not globs or any(glob.matches_any(paths) for glob in globs))


GLOBS += ["*.{ts,py}", "*.{ts,py", "**/*.{ts,js}", "a.{ts,py}", "!*.{ts,py}", "*.ts", "*.t", "x*.{ts,py}", "*.{t,s}s"]


@pytest.mark.parametrize("template", ["globs: [{}]", "scope: ['tool:edit({})']", "scope: 'bash, write({})'"])
def test_relevant_rules_are_those_whose_scope_and_globs_admit_the_file(template: str) -> None:
    rules = []
    for glob in GLOBS:
        rule = registration_of(f"condition: x\n{template.format(json.dumps(glob)[1:-1])}").rule
        if rule is not None:
            rules.append(rule)
    relevance = RuleFileFilter(rules)
    seen = 0
    for path in PATHS:
        paths = forms(path)
        expected = tuple(number for number, rule in enumerate(rules) if is_admitted(rule, paths))
        assert relevance.rules_for(paths) == expected, path
        seen += len(expected)
    assert seen > 10


@pytest.mark.parametrize("scope", ["tool", "text, edit", "tool:write", "text", "thinking, bash", "tool(*.ts)", ""])
def test_only_scopes_of_edit_and_write_admit_files(scope: str) -> None:
    rule = rule_of("x", frontmatter=f"scope: '{scope}'" if scope else "")
    paths = forms("/p/src/a.ts")
    assert bool(RuleFileFilter([rule]).rules_for(paths)) == is_admitted(rule, paths)


def scan(*rules: Rule) -> FileScan:
    return FileScan(rules, NoAstSearch(), thread_time)


def places(match: FileRuleMatch, text: str) -> list[tuple[str, int]]:
    return [(text[place.span.start : place.span.end], place.condition) for place in match.locations]


def test_a_file_scan_finds_all_matches_of_all_conditions_in_text_order() -> None:
    text = "😀 a b a bb b"
    (match,) = scan(rule_of("never", r"b\b", "(?i)A")).scan([0], text, ["a.ts"]).matches
    assert match.conditions == (1, 2)
    assert places(match, text) == [("a", 2), ("b", 1), ("a", 2), ("b", 1), ("b", 1)]
    assert [place.span.start for place in match.locations] == [2, 4, 6, 9, 11]
    assert match.is_complete


def test_a_match_at_one_position_belongs_to_the_first_condition() -> None:
    text = "any many"
    (match,) = scan(rule_of("an", "any")).scan([0], text, ["a.ts"]).matches
    assert (match.conditions, places(match, text)) == ((0, 1), [("an", 0), ("an", 0)])


def test_empty_matches_are_found_as_by_match_all() -> None:
    text = "xaax"
    (match,) = scan(rule_of("a*")).scan([0], text, ["a.ts"]).matches
    assert [(place.span.start, place.span.end) for place in match.locations] == [(0, 0), (1, 3), (3, 3), (4, 4)]


def test_lookbehind_sees_the_text_before_a_further_match() -> None:
    text = "aab ab"
    (match,) = scan(rule_of(r"(?<=a)b|^a")).scan([0], text, ["a.ts"]).matches
    assert [place.span.start for place in match.locations] == [0, 2, 5]


def test_matches_beyond_the_limit_make_the_result_incomplete() -> None:
    text = "a" * (MAX_MATCHES + 1)
    (match,) = scan(rule_of("a")).scan([0], text, ["a.ts"]).matches
    assert (len(match.locations), match.is_complete) == (MAX_MATCHES, False)
    (match,) = scan(rule_of("a")).scan([0], text[1:], ["a.ts"]).matches
    assert (len(match.locations), match.is_complete) == (MAX_MATCHES, True)


def test_all_matches_in_a_large_file_are_found() -> None:
    text = ("x" * 10_000 + " any\n") * 400
    (match,) = scan(rule_of(r"\bany\b")).scan([0], text, ["a.ts"]).matches
    assert (len(match.locations), match.is_complete) == (400, True)


def test_an_empty_file_is_matched() -> None:
    assert len(scan(rule_of("^$")).scan([0], "", ["a.ts"]).matches) == 1


def test_a_slow_condition_is_reported_and_others_still_match() -> None:
    slow = r"(.+)(.+)(.+)(.+)X\4\3\2\1c$"
    distinct = "".join(map(chr, range(0x100, 0x150)))
    rules = scan(rule_of(slow, "c"), rule_of("c", name="other"))
    result = rules.scan([0, 1], f"{distinct}X{distinct}c", ["a.ts"])
    assert [match.rule.name for match in result.matches] == ["r", "other"]
    assert [(condition.rule.name, condition.condition) for condition in rules.disabled_conditions] == [("r", 0)]


def test_a_condition_that_was_slow_on_one_file_gets_fewer_steps_on_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spent: list[int] = []
    go_on = ResumableSearch.advance

    def counted(question: ResumableSearch[object], steps: int) -> object:
        before = question.spent
        try:
            return go_on(question, steps)
        finally:
            spent.append(question.spent - before)

    monkeypatch.setattr(ResumableSearch, "advance", counted)
    rules = scan(rule_of("a?" * 600 + "a" * 600))
    taken = []
    for _ in range(4):
        spent.clear()
        assert rules.scan([0], "a" * 590 + "\n" + "a" * 5_000, ["a.ts"]).matches == ()
        taken.append(sum(spent))
    first, second, third, last = taken
    assert first >= 3 * second > 0
    assert (third, last) == (second, 0)


def test_a_condition_with_a_slow_search_is_matched_by_an_automaton() -> None:
    rules = scan(rule_of(r"(?=[\s\S]*\bFIXME\b)(?=[\s\S]*\bproject\b)"))
    text = "FIXME " + "x" * 40_000
    assert rules.scan([0], text + " projects", ["a.ts"]).matches == ()
    for _ in range(5):
        (match,) = rules.scan([0], text + " project", ["a.ts"]).matches
        assert match.locations[0].span.start == 0
        assert rules.scan([0], text + " projects", ["a.ts"]).matches == ()
    assert rules.disabled_conditions == ()


class Answers:
    """An `AstBatch` that returns the given answers, one for each search."""

    def __init__(self, *answers: AstMatches) -> None:
        self._answers = iter(answers)

    def ask_all(self, text: str, language: str, patterns: Sequence[str], most: int) -> Callable[[], list[AstMatches]]:
        answer = next(self._answers)
        return lambda: [answer]


def test_answers_for_a_slow_ast_pattern_are_dropped_in_files_started_earlier() -> None:
    rule = rule_of(frontmatter="astCondition: foo($A)")
    found = (Span(0, 3),)
    scan = FileScan([rule], Answers(found, AstFailure.PATTERN, found, AstFailure.PATTERN), thread_time)
    files = [scan.start([0], "foo(1)", ["a.ts"]) for _ in range(4)]
    first, second, *results = [scan.finish(file) for file in files]
    assert [match.locations for match in first.matches] == [(MatchLocation(Span(0, 3), 0),)]
    assert (second.matches, second.unparsed) == ((), AstFailure.PATTERN)
    assert [(result.matches, result.unparsed) for result in results] == [((), None)] * 2
    assert [(condition.rule.name, condition.condition) for condition in scan.disabled_conditions] == [("r", 0)]
    assert scan.scan([0], "foo(1)", ["a.ts"]).matches == (), "it is not even asked"


def test_a_file_scan_skips_rules_with_a_question_or_without_conditions() -> None:
    asked_rule = registration_of("condition: x\nquestion: Is it?", "asked").rule
    assert asked_rule is not None
    assert [rule.name for rule in scan(asked_rule, rule_of("x")).rules] == ["r"]
