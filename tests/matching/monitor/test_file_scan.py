"""Scanning a file answers as the rules themselves would, however much of them is left out unasked."""

import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.rules.rule_files import registration_of, rule_of
from ttsr_ls.matching.ast.search import AstAnswer, AstFailure, NoAstSearch
from ttsr_ls.matching.file_relevance import FileRelevance
from ttsr_ls.matching.monitor.file_scan import FileScan, Thoroughness
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


def watches(rule: Rule, paths: tuple[str, ...]) -> bool:
    """The specification: a call of `edit` or of `write` to the file passes the scope and the globs."""
    contexts = [StreamContext(Source.TOOL, tool, paths) for tool in ("edit", "write")]
    globs = path_globs(rule.globs)
    return any(map(rule.scope.admits, contexts)) and (not globs or any(glob.matches_any(paths) for glob in globs))


GLOBS += ["*.{ts,py}", "*.{ts,py", "**/*.{ts,js}", "a.{ts,py}", "!*.{ts,py}", "*.ts", "*.t", "x*.{ts,py}", "*.{t,s}s"]


@pytest.mark.parametrize("template", ["globs: [{}]", "scope: ['tool:edit({})']", "scope: 'bash, write({})'"])
def test_relevance_is_what_scope_and_globs_say(template: str) -> None:
    rules = []
    for glob in GLOBS:
        rule = registration_of(f"condition: x\n{template.format(json.dumps(glob)[1:-1])}").rule
        if rule is not None:
            rules.append(rule)
    relevance = FileRelevance(rules)
    seen = 0
    for path in PATHS:
        paths = forms(path)
        expected = tuple(number for number, rule in enumerate(rules) if watches(rule, paths))
        assert relevance.rules_for(paths) == expected, path
        seen += len(expected)
    assert seen > 10


@pytest.mark.parametrize("scope", ["tool", "text, edit", "tool:write", "text", "thinking, bash", "tool(*.ts)", ""])
def test_scopes_count_for_edit_and_write_alone(scope: str) -> None:
    rule = rule_of("x", frontmatter=f"scope: '{scope}'" if scope else "")
    paths = forms("/p/src/a.ts")
    assert bool(FileRelevance([rule]).rules_for(paths)) == watches(rule, paths)


def scan(*rules: Rule, thoroughness: Thoroughness = Thoroughness.ALL) -> FileScan:
    return FileScan(rules, NoAstSearch(), thoroughness)


def test_all_conditions_that_match_are_told_or_the_first() -> None:
    rule = rule_of("never", r"b\b", "(?i)A")
    text = "😀 a b"
    (match,) = scan(rule).scan([0], text, ["a.ts"]).matches
    assert (match.conditions, text[match.place.start : match.place.end]) == ((1, 2), "b")
    (match,) = scan(rule, thoroughness=Thoroughness.FIRST).scan([0], text, ["a.ts"]).matches
    assert match.conditions == (1,)


def test_an_empty_file_is_matched_too() -> None:
    assert len(scan(rule_of("^$")).scan([0], "", ["a.ts"]).matches) == 1


def test_a_slow_condition_is_told_and_the_others_go_on() -> None:
    slow = r"(.+)(.+)(.+)(.+)X\4\3\2\1c$"
    distinct = "".join(map(chr, range(0x100, 0x150)))
    rules = scan(rule_of(slow, "c"), rule_of("c", name="other"))
    result = rules.scan([0, 1], f"{distinct}X{distinct}c", ["a.ts"])
    assert [match.rule.name for match in result.matches] == ["r", "other"]
    assert [(each.rule.name, each.condition) for each in rules.slow_conditions] == [("r", 0)]


def test_a_condition_that_is_slow_to_search_for_is_found_all_the_same() -> None:
    rules = scan(rule_of(r"(?=[\s\S]*\bFIXME\b)(?=[\s\S]*\bproject\b)"))
    text = "FIXME " + "x" * 40_000
    assert rules.scan([0], text + " projects", ["a.ts"]).matches == ()
    for _ in range(5):
        (match,) = rules.scan([0], text + " project", ["a.ts"]).matches
        assert match.place.start == 0
        assert rules.scan([0], text + " projects", ["a.ts"]).matches == ()
    assert rules.slow_conditions == ()


class Answers:
    """An `AstBatch` that answers each question in its turn, whatever it is."""

    def __init__(self, *answers: AstAnswer) -> None:
        self._answers = iter(answers)

    def ask(self, text: str, language: str, patterns: Sequence[str]) -> Callable[[], tuple[AstAnswer, ...]]:
        answer = next(self._answers)
        return lambda: (answer,)


def test_a_pattern_that_took_too_long_counts_no_more_in_files_that_were_started_before_that_was_known() -> None:
    rule = rule_of(frontmatter="astCondition: foo($A)")
    scan = FileScan([rule], Answers(Span(0, 3), AstFailure.PATTERN, Span(0, 3), AstFailure.PATTERN), Thoroughness.ALL)
    started = [scan.start([0], "foo(1)", ["a.ts"]) for _ in range(4)]
    first, second, *others = [scan.finish(each) for each in started]
    assert [match.place for match in first.matches] == [Span(0, 3)]
    assert (second.matches, second.unparsed) == ((), AstFailure.PATTERN)
    assert [(each.matches, each.unparsed) for each in others] == [((), None)] * 2
    assert [(each.rule.name, each.condition) for each in scan.slow_conditions] == [("r", 0)]
    assert scan.scan([0], "foo(1)", ["a.ts"]).matches == (), "it is not even asked"


def test_rules_without_conditions_or_with_a_question_are_not_tried() -> None:
    asked = registration_of("condition: x\nquestion: Is it?", "asked").rule
    assert asked is not None
    assert [rule.name for rule in scan(asked, rule_of("x")).rules] == ["r"]
