"""`test` without a text: the tests that run, their report, and `--update`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.command import Ran, ttsr_ls, write
from tests.cli.report_schemas import assert_junit
from ttsr_ls.rule_tests.case_run import CaseResult
from ttsr_ls.rule_tests.expectation_update import update_expectations
from ttsr_ls.store.files.bounded_file import MAX_RULE_BYTES

Capture = pytest.CaptureFixture[str]

ANY = "---\ncondition: [': any\\b', eval]\nscope: [tool:edit(*.ts), tool:write(*.ts)]\n---\nName the type.\n"
GOOD = "valid: ['let a: number;']\ninvalid: ['let a: any;', {name: in a loop, text: 'for (;;) { b: any; }'}]\n"
BODY = "\n## Bad\n\n```ts\nlet a: any;\n```\n\n```ts ttsr:silent\nlet a: Any;\n```\n"


def run(capsys: Capture, *args: str) -> Ran:
    return ttsr_ls(capsys, "test", *args)


@pytest.fixture
def rules(project: Path) -> Path:
    write(project, {".omp/rules/any.md": ANY + BODY, ".omp/rules/any.test.yml": GOOD, ".omp/rules/other.md": ANY})
    return project


def test_all_tests_below_the_folder_are_run(rules: Path, capsys: Capture) -> None:
    ran = run(capsys)
    assert ran.out.splitlines() == [
        ".omp/rules/any.md .....",
        "",
        "5 cases of 1 rule: 5 passed. 1 rule without tests.",
    ]
    assert (ran.status, ran.err) == (0, "")


@pytest.mark.parametrize("name", ["other.md", "other.test.yml", "orphan.test.yml"])
def test_an_unreadable_rule_or_test_file_is_reported_with_status_2(rules: Path, capsys: Capture, name: str) -> None:
    file = rules / ".omp/rules" / name
    file.write_text("#" * (MAX_RULE_BYTES + 1))
    ran = run(capsys)
    assert ran.out.startswith(".omp/rules/any.md .....\n\n5 cases of 1 rule: 5 passed.")
    assert ran.err == f"ttsr-ls: cannot read .omp/rules/{name}: it is larger than 1024 KiB\n"
    assert ran.status == 2


def test_an_unreadable_test_file_is_not_reported_as_missing(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/any.md": ANY, ".omp/rules/any.test.yml": "#" * (MAX_RULE_BYTES + 1)})
    ran = run(capsys)
    assert (ran.out, ran.status) == ("", 2)
    assert ran.err == "ttsr-ls: cannot read .omp/rules/any.test.yml: it is larger than 1024 KiB\n"


@pytest.mark.parametrize(
    "named", [[".omp"], [".omp/rules/any.test.yml"], ["-r", ".omp/rules/any.md"], ["--rules", ".omp/rules"]]
)
def test_folders_files_and_rules_can_be_named(rules: Path, capsys: Capture, named: list[str]) -> None:
    assert run(capsys, *named).out.startswith(".omp/rules/any.md .....\n")


def test_failures_show_the_expected_and_the_actual_result(rules: Path, capsys: Capture) -> None:
    cases = (
        "valid:\n  - |\n    one\n    let a: any;\n"
        "invalid:\n  - {name: told as text, source: text, text: 'a: any'}\n"
        "  - {text: 'a: any;', condition: eval, offset: 3}\n"
    )
    write(rules, {".omp/rules/any.test.yml": cases, ".omp/rules/any.md": ANY + "\n```ts ttsr:fires\nlet a;\n```\n"})
    ran = run(capsys)
    assert ran.status == 1
    assert ran.out.splitlines() == [
        ".omp/rules/any.md FFFF",
        "",
        "FAIL .omp/rules/any.test.yml:2  valid 1",
        "  edit of file.ts",
        "    2 | let a: any;",
        "      |      ^^^^^",
        "  - silent",
        r"  + fires by : any\b at offset 15 in line 2",
        "",
        "FAIL .omp/rules/any.test.yml:6  invalid 1: told as text",
        "  text",
        "    1 | a: any",
        "  - fires",
        "  + silent: its scope does not admit this kind of stream",
        "",
        "FAIL .omp/rules/any.test.yml:7  invalid 2",
        "  edit of file.ts",
        "    1 | a: any;",
        "      |  ^^^^^",
        "  - fires by eval at offset 3",
        r"  + fires by : any\b at offset 7",
        "",
        "FAIL .omp/rules/any.md:7  example invalid 1",
        "  edit of example.ts",
        "    1 | let a;",
        "  - fires",
        "  + silent: no condition matches the text",
        "",
        "4 cases of 1 rule: 0 passed, 4 failed. 1 rule without tests.",
    ]


def test_an_invalid_test_file_is_an_error(rules: Path, capsys: Capture) -> None:
    write(rules, {".omp/rules/any.test.yml": "valid:\n  - a\ndrafts: [b]\n", ".omp/rules/gone.test.yml": GOOD})
    ran = run(capsys)
    assert ran.status == 1
    lines = ran.out.splitlines()
    assert lines[:2] == [".omp/rules/any.md ...E", ".omp/rules/gone.test.yml E"]
    assert "ERROR .omp/rules/any.test.yml:3" in lines
    keys = "`valid`, `invalid`, `defaults`"
    assert f"  There is no key `drafts` here. There are {keys}. Write one of them, or remove the key." in lines
    assert "  The tests are not run: there is no rule file gone.md beside gone.test.yml." in lines
    assert lines[-1] == "3 cases of 2 rules: 3 passed, 2 errors. 1 rule without tests."


@pytest.mark.parametrize(
    "rule", [ANY.replace("condition", "condtion"), "---\ncondition: foo\nscope: 'tool:edit('\n---\nNo.\n"]
)
@pytest.mark.parametrize("chosen", ["any", "loop", "any: invalid*"])
def test_a_filter_chooses_tests_of_a_rule_that_cannot_run(rule: str, chosen: str, rules: Path, capsys: Capture) -> None:
    write(rules, {".omp/rules/any.md": rule})
    ran = run(capsys, "--filter", chosen)
    assert (ran.status, ran.err) == (1, "")
    assert "The tests are not run: " in ran.out
    assert run(capsys, "--filter", "elsewhere").status == 2


@pytest.mark.parametrize(
    ("chosen", "count"), [("any", 5), ("other", None), ("loop", 1), ("any: invalid*", 2), ("EXAMPLE", 2), ("a?y", 5)]
)
def test_a_filter_chooses_rules_and_cases(rules: Path, capsys: Capture, chosen: str, count: int | None) -> None:
    ran = run(capsys, "--filter", chosen, "--json")
    if count is None:
        assert (ran.status, ran.err) == (2, "ttsr-ls: no test has 'other' in the name of its rule or its own\n")
    else:
        assert json.loads(ran.out)["summary"]["cases"] == count


def test_without_tests_the_error_explains_how_to_write_them(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/other.md": ANY})
    ran = run(capsys)
    assert (ran.status, ran.out) == (2, "")
    assert "no rule below . has tests: write NAME.test.yml beside a rule" in ran.err


def test_json_has_every_case(rules: Path, capsys: Capture) -> None:
    write(rules, {".omp/rules/any.test.yml": "invalid: [{text: 'let a;', name: no type}]\n"})
    report = json.loads(run(capsys, "--format", "json", ".omp/rules/any.test.yml").out)
    assert report["summary"] == {
        "rules": 1, "cases": 3, "passed": 2, "failed": 1, "undecided": 0, "errors": 0, "untestedRules": 0,
    }  # fmt: skip
    first = report["rules"][0]["cases"][0]
    assert (first["kind"], first["status"], first["path"], first["line"]) == (
        "invalid",
        "failed",
        ".omp/rules/any.test.yml",
        1,
    )
    assert first["actual"] == {"fires": False, "reason": "no condition matches the text"}
    assert report["rules"][0]["cases"][1]["actual"] == {"fires": True, "condition": ": any\\b", "offset": 11, "line": 1}


def test_junit_is_valid(rules: Path, capsys: Capture) -> None:
    write(rules, {".omp/rules/any.test.yml": "invalid: ['<let> & \"a\"\\x01']\nonvalid: 1\n"})
    out = run(capsys, "--format", "junit", "--output", "out.xml").out
    assert out == ""
    text = (rules / "out.xml").read_text()
    assert_junit(text)
    (suite,) = ElementTree.fromstring(text)
    assert (suite.get("name"), suite.get("tests"), suite.get("failures")) == ("ttsr-ls test", "4", "2")


def test_update_writes_the_actual_results_and_keeps_the_rest(rules: Path, capsys: Capture) -> None:
    before = (
        "# Kept.\ninvalid:\n  - text: 'a: any;'  # kept\n    condition: >-\n      eval\n    offset: 0x3\n"
        "  - {text: nothing, line: 4}\n  - {text: 'eval', line: 7, condition: 'eval'}\nvalid: ['a: any;']\n"
    )
    path = rules / ".omp/rules/any.test.yml"
    path.write_text(before)
    write(rules, {".omp/rules/any.test.yml": before.replace("0x3", "3")})
    ran = run(capsys, "--update")
    assert ran.err == "ttsr-ls: updated 3 expectations in .omp/rules/any.test.yml\n"
    assert ran.status == 1, "what has to fire and is silent is for a person to say"
    assert path.read_text() == (
        "# Kept.\ninvalid:\n  - text: 'a: any;'  # kept\n    condition: ': any\\b'\n    offset: 7\n"
        "  - {text: nothing, line: 4}\n  - {text: 'eval', line: 1, condition: 'eval'}\nvalid: ['a: any;']\n"
    )
    assert run(capsys, "--update").err == ""


@pytest.mark.parametrize("edited", [b"invalid: ['a: any;', new]\n", b"invalid: [{text: 'a: any;', line: 7}] # \xe4\n"])
def test_update_keeps_what_was_written_while_the_tests_ran(
    rules: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, edited: bytes
) -> None:
    path = rules / ".omp/rules/any.test.yml"
    path.write_text("invalid: [{text: 'a: any;', line: 7}]\n")

    def edit(text: str, results: Iterable[CaseResult]) -> tuple[str, int]:
        path.write_bytes(edited)
        return update_expectations(text, results)

    monkeypatch.setattr("ttsr_ls.cli.rule_tests.run.update_expectations", edit)
    ran = run(capsys, "--update")
    assert ran.status == 2
    assert "any.test.yml is not changed: somebody else has changed it in the meantime" in ran.err
    assert path.read_bytes() == edited


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--source", "text"], "there is no text to test"),
        ([".omp", "--tool", "bash"], "there is no text to test"),
        (["a text", "--watch"], "--watch is for rule tests"),
        (["a text", "--format", "junit"], "--format junit is for rule tests"),
        (["--json", "--format", "junit"], "cannot be combined"),
        (["two", "texts"], "'texts' is one text too many"),
        (["nowhere/a.test.yml", ".omp"], "is one text too many"),
    ],
)
def test_conflicting_arguments_are_refused(rules: Path, capsys: Capture, args: list[str], message: str) -> None:
    ran = run(capsys, *args)
    assert ran.status == 2
    assert message in ran.err


def test_ast_conditions_are_evaluated(project: Path, capsys: Capture) -> None:
    write(
        project,
        {
            "rules/e.md": "---\nastCondition: eval($A)\nscope: tool:edit(*.ts)\n---\nNo.\n",
            "rules/e.test.yml": "valid: ['// eval(x)', {path: a.py, text: eval(x)}]\ninvalid: ['eval(x)']\n",
        },
    )
    assert run(capsys).out.splitlines()[0] == "rules/e.md ..."


def test_a_rule_with_a_question_is_not_run(project: Path, capsys: Capture) -> None:
    write(project, {"rules/q.md": "---\nquestion: Is it?\ncondition: x\n---\nNo.\n", "rules/q.test.yml": "valid: [x]"})
    ran = run(capsys)
    assert ran.status == 1
    assert "The tests are not run: a judge model decides whether it fires." in ran.out


def test_rules_of_other_dialects_run_as_in_their_program(project: Path, capsys: Capture) -> None:
    write(
        project,
        {
            ".pi/rules/any.md": "---\ntrigger: ': any'\n---\nName it.\n\n```ts ttsr:fires\na: any\n```\n",
            ".pi/rules/any.test.yml": "invalid: ['a: any']\nvalid: [{path: a.ts, text: 'a: any'}]\n",
        },
    )
    ran = run(capsys)
    assert ran.out.splitlines()[0] == ".pi/rules/any.md ...", ran.out


def test_check_reports_mistakes_in_test_files(rules: Path, capsys: Capture) -> None:
    write(rules, {".omp/rules/any.test.yml": "invalid: [x]\n", ".omp/rules/gone.test.yml": GOOD, "x.test.yml": "a: b"})
    lines = ttsr_ls(capsys, "check", "--format", "concise").out.splitlines()
    assert [line.split(": ")[0] + " " + line.split(": ")[2] for line in lines] == [
        ".omp/rules/any.test.yml:1:11-1:12 failing-rule-test",
        ".omp/rules/gone.test.yml:1:1-1:1 test-without-rule",
    ]


def test_a_test_file_is_no_rule(rules: Path, capsys: Capture) -> None:
    listed = json.loads(ttsr_ls(capsys, "list", "--all", "--json").out)
    rows = listed if isinstance(listed, list) else listed["rules"]
    assert sorted(row["name"] for row in rows) == ["any", "other"]
