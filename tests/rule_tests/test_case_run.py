"""Cases run on the engine: their streams, their results, and whether these meet the expectations."""

from __future__ import annotations

import pytest

from tests.built_automata import notice_builds
from tests.rules.rule_files import registration_of
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.rule_tests.body_examples import body_examples
from ttsr_ls.rule_tests.case import CaseExpectation, CaseKind, CaseOrigin, RuleTestCase, StreamSpec
from ttsr_ls.rule_tests.case_file import read_case_file
from ttsr_ls.rule_tests.case_run import CaseResult, CaseStatus, RuleUnderTest
from ttsr_ls.rules.stream import Source
from ttsr_ls.text import Span

TYPESCRIPT = "condition: [': any\\b', eval]\nscope: [tool:edit(*.ts), tool:write(*.ts)]"


def under_test(frontmatter: str, search: AstProcess | None = None) -> RuleUnderTest:
    rule = registration_of(frontmatter).rule
    assert rule is not None
    return RuleUnderTest(rule, search)


def ran(frontmatter: str, cases: str) -> list[CaseResult]:
    file = read_case_file(cases)
    assert file.problems == ()
    rule = under_test(frontmatter)
    return [rule.run(case) for case in file.cases]


def test_the_result_of_a_case_is_its_first_trigger() -> None:
    (result,) = ran(TYPESCRIPT, 'invalid: ["let b;\\nlet a: any; eval"]')
    assert (result.status, result.actual) == (CaseStatus.PASSED, CaseExpectation(": any\\b", 18, 2))
    assert (result.context.source, result.context.tool) == (Source.TOOL, "edit")
    assert "file.ts" in result.context.paths


def test_cases_share_one_automaton(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[int] = []
    notice_builds(monkeypatch, built.append)
    results = ran("condition: ['foo+', 'ba[rz]']", "valid: [a, b, fo]\ninvalid: [xfoo, baz, bar]")
    assert [result.status for result in results] == [CaseStatus.PASSED] * 6
    assert built == [2]


def test_a_trigger_must_meet_all_expectations_of_a_case() -> None:
    case = 'invalid: [{text: "a: any ", condition: %s, offset: %s, line: %s}]'
    assert [
        ran(TYPESCRIPT, case % said)[0].status
        for said in (("': any\\b'", 7, 1), ("eval", 7, 1), ("': any\\b'", 6, 1), ("': any\\b'", 7, 2))
    ] == [CaseStatus.PASSED, *[CaseStatus.FAILED] * 3]


def test_valid_cases_pass_where_the_rule_is_silent() -> None:
    results = ran(
        TYPESCRIPT, "valid: ['let a: anything', 'a: any', {path: a.md, text: 'a: any'}, {source: text, text: 'a: any'}]"
    )
    status, case_status = CaseStatus.PASSED, CaseStatus.FAILED
    assert [result.status for result in results] == [status, case_status, status, status]


def test_chunks_are_streamed_as_they_are() -> None:
    chunks = "{chunks: ['x: any', 'thing'], matching: %s}"
    assert [ran(TYPESCRIPT, f"valid: [{chunks % matching}]")[0].status for matching in ("stable", "reference")] == [
        CaseStatus.PASSED,
        CaseStatus.FAILED,
    ]


@pytest.mark.parametrize(
    ("frontmatter", "source", "tool"),
    [
        ("condition: x", Source.TEXT, None),
        ("condition: x\nscope: text", Source.TEXT, None),
        ("condition: x\nscope: thinking", Source.THINKING, None),
        ("condition: x\nscope: tool", Source.TOOL, "edit"),
        ("condition: x\nscope: tool:write(src/**/*.py)", Source.TOOL, "write"),
        ("condition: x\nscope: tool:bash", Source.TOOL, "bash"),
        ("condition: x\nscope: [tool, text]\nglobs: '*.rs'", Source.TOOL, "edit"),
    ],
)
def test_a_case_without_a_stream_gets_one_that_the_scope_admits(
    frontmatter: str, source: Source, tool: str | None
) -> None:
    (result,) = ran(frontmatter, "invalid: [x]")
    assert result.status is CaseStatus.PASSED
    assert (result.context.source, result.context.tool) == (source, tool)


def test_a_code_example_is_streamed_to_a_file_of_its_language() -> None:
    rule = under_test("condition: eval\nscope: [text, 'tool:edit(*.{py,ts})']")
    python, typescript, prose = (
        rule.run(example.case)
        for example in body_examples("# Bad\n```python\neval\n```\n```ts\neval\n```\n```\neval\n```\n")
    )
    assert ("example.py" in python.context.paths, "example.ts" in typescript.context.paths) == (True, True)
    assert prose.context.source is Source.TEXT
    assert {result.status for result in (python, typescript, prose)} == {CaseStatus.PASSED}


def test_a_command_example_becomes_the_json_arguments_of_a_call() -> None:
    rule = under_test("""condition: '"command": "rm -rf'\nscope: tool:bash""")
    (example,) = body_examples("# Bad\n```sh\nrm -rf build\n```\n")
    assert rule.run(example.case).status is CaseStatus.PASSED


def test_ast_conditions_are_evaluated_or_the_case_is_undecided() -> None:
    frontmatter = "astCondition: eval($A)\nscope: tool:edit(*.ts)"
    case = RuleTestCase(
        CaseKind.INVALID, CaseOrigin.FILE, 1, None, ("eval(x)",), StreamSpec(), CaseExpectation(), Span(0, 0)
    )
    assert under_test(frontmatter).run(case).status is CaseStatus.UNDECIDED
    with AstProcess() as search:
        assert under_test(frontmatter, search).run(case).status is CaseStatus.PASSED


def test_a_condition_that_takes_too_long_leaves_the_case_undecided() -> None:
    slow = r"(.+)(.+)(.+)(.+)X\4\3\2\1c$"
    distinct = "".join(map(chr, range(0x100, 0x150)))
    (result,) = ran(f"condition: '{slow}'", f"valid: ['{distinct}X{distinct}c']")
    assert result.status is CaseStatus.UNDECIDED
