"""`test`: its report, its input, and its status."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import ttsr_ls, type_in, write

Capture = pytest.CaptureFixture[str]

ANY = "---\ncondition: ': any\\b'\nscope: tool:edit(src/**), text\n---\nName the type.\n"


def report(capsys: Capture, *args: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(ttsr_ls(capsys, "test", *args, "--json").out)
    return found


def fired(capsys: Capture, *args: str) -> dict[str, int]:
    return {rule["name"]: rule["offset"] for rule in report(capsys, *args)["triggered"]}


@pytest.fixture
def rules(project: Path) -> Path:
    write(project, {".omp/rules/any.md": ANY, ".omp/rules/done.md": "---\ncondition: done$\n---\nIs it?\n"})
    return project


def test_text_report(rules: Path, capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "test", "x: any = 1")
    assert ran.status == 0
    assert ran.out.splitlines() == [
        "text, 10 characters: x: any = 1",
        "",
        r"fires  any at 7: /: any\b/",
        "         …x: any",
        "",
        "1 of 2 rules fires. Run with --verbose to see why the others do not.",
    ]


def test_the_summary_without_a_match_names_verbose(rules: Path, capsys: Capture) -> None:
    assert ttsr_ls(capsys, "test", "x").out.endswith("Run with --verbose to see why they do not.\n")


def test_verbose_prints_why_the_other_rules_are_silent(rules: Path, capsys: Capture) -> None:
    out = ttsr_ls(capsys, "test", "x", "--source", "tool", "--path", "lib/a.ts", "--verbose").out
    assert "silent any: its scope does not admit this tool or path, and no condition matches the text" in out
    assert "silent done: no condition matches the text" in out
    assert out.endswith("0 of 2 rules fire.\n")


@pytest.mark.parametrize(
    ("text", "args", "offsets"),
    [
        ("x: any", [], {"any": 6}),
        ("x: any;", [], {"any": 7}),
        ("x: anything", [], {}),
        ("x: anything", ["--chunk", "3"], {}),
        ("x: anything", ["--matching", "reference"], {}),
        ("x: anything", ["--matching", "reference", "--chunk", "3"], {"any": 6}),
        ("x: anything", ["--matching", "reference", "--chunk", "4"], {}),
        ("all done", [], {"done": 8}),
        ("done, or not", ["--chunk", "1"], {}),
        ("done, or not", ["--chunk", "1", "--matching", "reference"], {"done": 4}),
    ],
)
def test_matching_and_chunk(text: str, args: list[str], offsets: dict[str, int], rules: Path, capsys: Capture) -> None:
    assert fired(capsys, text, *args) == offsets


@pytest.mark.parametrize("chunk", [1, 2, 3, 5, 7, 11, 100])
def test_stable_matching_does_not_depend_on_the_chunk(chunk: int, rules: Path, capsys: Capture) -> None:
    text = "let a: any, b: anything\n" * 3 + "done"
    assert fired(capsys, text, "--chunk", str(chunk)) == fired(capsys, text) == {"any": 11, "done": 76}


@pytest.mark.parametrize("path", ["src/a.ts", "./src/a.ts"])
def test_a_file_is_matched_as_a_live_tool_call(path: str, rules: Path, capsys: Capture) -> None:
    write(rules, {"src/a.ts": "x: any;"})
    assert fired(capsys, "--file", path) == {"any": 7}
    assert fired(capsys, path) == {"any": 7}
    assert fired(capsys, str(rules / "src/a.ts")) == {"any": 7}
    assert fired(capsys, "x: any;", "--path", path) == {"any": 7}


def test_a_named_tool_makes_the_source_a_tool_call(rules: Path, capsys: Capture) -> None:
    assert report(capsys, "x", "--tool", "bash")["source"] == "tool"


def test_unknown_suffix_is_text_with_a_note(rules: Path, capsys: Capture) -> None:
    write(rules, {"src/page.svg": "x: any;"})
    found = report(capsys, "--file", "src/page.svg")
    assert found["source"] == "text"
    assert found["inferenceNote"].startswith("treated as text, because the suffix '.svg' is not known as source code")


def test_standard_input(rules: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    type_in(monkeypatch, b"x: any;")
    assert fired(capsys, "--file", "-") == {"any": 7}


@pytest.mark.parametrize(("text", "status"), [("x: any;", 0), ("nothing", 1)])
def test_isolated_rule_that_does_not_fire_is_status_1(text: str, status: int, rules: Path, capsys: Capture) -> None:
    assert ttsr_ls(capsys, "test", text, "--rule", ".omp/rules/any.md").status == status
    assert ttsr_ls(capsys, "test", text, "--rule", ".omp/rules/any.md", "--json").status == 0


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ("---\nalwaysApply: true\n---\nx\n", "the rule 'rule' has nothing that could be tried"),
        ("---\nquestion: rude?\n---\nx\n", "the rule 'rule' has nothing that could be tried"),
        ("---\ncondition: a\nagents: [sub, scout]\n---\nx\n", "only for the agents sub, scout, and not for 'main'"),
    ],
)
def test_rule_that_cannot_be_tried_is_status_1(rule: str, reason: str, project: Path, capsys: Capture) -> None:
    write(project, {"rule.md": rule})
    ran = ttsr_ls(capsys, "test", "x", "--rule", "rule.md")
    assert (ran.status, ran.out) == (1, "")
    assert reason in ran.err
    as_json = ttsr_ls(capsys, "test", "x", "--rule", "rule.md", "--json")
    assert as_json.status == 1
    assert reason in json.loads(as_json.out)["error"]


def test_no_rules_is_status_1(project: Path, capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "test", "x")
    assert ran.status == 1
    assert ran.err == "ttsr-ls: there are no rules here that apply to an agent's output\n"


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ([], "no rule below . has tests"),
        (["--file", "missing.ts"], "cannot read missing.ts: No such file or directory"),
        (["x", "--rule", "missing.md"], "missing.md: No such file or directory"),
        (["--file", "."], "cannot read .: Is a directory"),
    ],
)
def test_invalid_arguments_have_status_2(args: list[str], reason: str, rules: Path, capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "test", *args)
    assert (ran.status, ran.out) == (2, "")
    assert reason in ran.err


def test_rules_of_a_named_folder(project: Path, capsys: Capture) -> None:
    write(project, {"mine/any.md": ANY})
    assert fired(capsys, "x: any;", "--rules", "mine") == {"any": 7}


def test_slow_condition_is_reported_and_the_others_go_on(project: Path, capsys: Capture) -> None:
    write(
        project,
        {
            ".omp/rules/slow.md": f"---\ncondition: {SLOW}\n---\nx\n",
            ".omp/rules/quick.md": "---\ncondition: X\n---\nx\n",
        },
    )
    found = report(capsys, SLOW_TEXT)
    assert [rule["name"] for rule in found["triggered"]] == ["quick"]
    assert found["notTriggered"][0]["slow"] == [SLOW.strip("'")]


def test_control_characters_of_a_rule_are_escaped(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": b"---\ncondition: '[\x1b]x'\n---\nx\n"})
    assert "\x1b" not in ttsr_ls(capsys, "test", "\x1bx", "--verbose").out


FOO = "---\ncondition: foo\n---\nSay so.\n"
SLOW = r"'(.+)(.+)(.+)(.+)X\4\3\2\1$'"
DISTINCT = "".join(map(chr, range(0x4E00, 0x4E50)))
SLOW_TEXT = f"{DISTINCT}X{DISTINCT}!"
TOOLS = "---\ncondition: foo\nscope: tool:edit(*.ts)\n---\nSay so.\n"


@pytest.fixture
def three(project: Path) -> Path:
    files = {"foo": FOO, "bar": FOO.replace("foo", "bar"), "slow": FOO.replace("foo", SLOW)}
    write(project, {f".omp/rules/{name}.md": text for name, text in files.items()})
    return project


@pytest.mark.parametrize(
    ("args", "status", "failures"),
    [
        (["foo", "--expect-fire=foo"], 0, []),
        (["foo", "--expect-fire=foo", "--expect-silent"], 0, []),
        (["foo", "--expect-fire=foo", "--expect-silent=bar"], 0, []),
        (["foo bar", "--expect-fire=foo", "--expect-fire=bar"], 0, []),
        (["foo", "--expect-fire=bar"], 1, [
            "'bar' was expected to fire, but it is silent: no condition matches the text",
        ]),
        (["foo", "--expect-silent"], 1, ["'foo' was expected to be silent, but it fires at 3"]),
        (["foo", "--expect-silent=foo", "--expect-fire"], 1, [
            "'bar' was expected to fire, but it is silent: no condition matches the text",
            "'foo' was expected to be silent, but it fires at 3",
            "'slow' was expected to fire, but it is silent: no condition matches the text",
        ]),
        ([SLOW_TEXT, "--expect-silent=slow"], 1, [
            "'slow' was expected to be silent, but whether it fires was not decided in time: "
            "a condition takes too long on this text",
        ]),
        ([SLOW_TEXT, "--expect-fire=slow"], 1, [
            "'slow' was expected to fire, but whether it fires was not decided in time: a condition takes too long on "
            "this text",
        ]),
        (["x", "--rule", ".omp/rules/foo.md", "--expect-silent"], 0, []),
        (["foo", "--rule", ".omp/rules/foo.md", "--expect-fire=foo"], 0, []),
    ],
)  # fmt: skip
def test_expectations(args: list[str], status: int, failures: list[str], three: Path, capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "test", *args)
    lines = [line.removeprefix("expectation failed: ") for line in ran.out.splitlines() if "expectation" in line]
    assert (ran.status, lines) == (status, [f"{failure}." for failure in failures])
    shown = ttsr_ls(capsys, "test", *args, "--json")
    assert shown.status == status
    expected = json.loads(shown.out)["expectations"]
    assert [item["failure"] for item in expected if not item["met"]] == failures


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["foo", "--expect-fire", "--expect-silent"], "contradict each other for all rules"),
        (["foo", "--expect-fire=foo", "--expect-silent=foo"], "'foo' is expected to fire and to be silent"),
        (["foo", "--expect-fire=fo"], "no rule called 'fo' is tried here; those that are: bar, foo, slow"),
        (["--expect-fire", "some text"], "'some text' was read as the name of a rule, and there is no text to test"),
        (["foo", "--tool", "bash", "--path", "a.sh"], "a call of bash has no path: leave out --path"),
    ],
)
def test_misuse_of_expectations_and_paths_is_refused(
    args: list[str], message: str, three: Path, capsys: Capture
) -> None:
    ran = ttsr_ls(capsys, "test", *args)
    assert ran.status == 2
    assert message in ran.err


def test_a_note_precedes_the_report_on_a_rule_for_tools(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/tools.md": TOOLS, ".omp/rules/foo.md": FOO})
    ran = ttsr_ls(capsys, "test", "foo")
    note = "tools applies only to calls of tools, and this is text: name a tool with --tool, or a file with --path."
    assert ran.out.splitlines()[1] == f"note: {note}"
    assert report(capsys, "foo")["scopeNote"] == note
    assert "scopeNote" not in report(capsys, "foo", "--tool", "edit")


def test_file_of_a_bash_call_is_not_its_path(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/foo.md": FOO.replace("---\nSay", "globs: '*.sh'\n---\nSay"), "a.sh": "foo"})
    found = report(capsys, "--file", "a.sh", "--tool", "bash")
    assert "filePath" not in found
    assert found["triggered"] == []
    assert found["notTriggered"][0]["reasons"] == ["its globs match no path of this stream"]


def test_the_findings_of_check_explain_a_condition_that_never_matches(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/never.md": "---\ncondition: 'a^b'\n---\nSay so.\n"})
    explanations = "No text matches this condition, so it never fires. `^` is the start of the text"
    assert report(capsys, "ab")["notTriggered"][0]["explanations"][0].startswith(explanations)
    for args in (["--verbose"], ["--rule", ".omp/rules/never.md"]):
        assert f"check: {explanations}" in ttsr_ls(capsys, "test", "ab", *args).out


def test_undecided_rules_are_counted(three: Path, capsys: Capture) -> None:
    out = ttsr_ls(capsys, "test", SLOW_TEXT, "--verbose").out
    assert "silent slow: whether a condition matches the text was not decided in time" in out
    assert out.endswith("0 of 3 rules fire. 1 not decided in time.\n")


def test_an_empty_text_is_tested_and_a_missing_one_refused(rules: Path, capsys: Capture) -> None:
    """As the reference agent, which reports that no rule fires on an empty snippet."""
    assert ttsr_ls(capsys, "test", "").status == 0
    assert ttsr_ls(capsys, "test").status == 2


@pytest.mark.parametrize(
    ("args", "note"),
    [
        (("--tool", "bash", "git push"), 'write {"command":"git push"}.'),
        (("--tool", "grep", "x"), "write the whole object, with its quotes and escapes."),
        (("--tool", "bash", '{"command":"git push"}'), None),
        (("--tool", "bash", '{"command":"git'), None),
        (("--tool", "edit", "git push"), None),
        (("git push",), None),
    ],
)
def test_a_text_that_is_not_the_json_arguments_of_the_tool_has_a_note(
    args: tuple[str, ...], note: str | None, rules: Path, capsys: Capture
) -> None:
    lines = [line for line in ttsr_ls(capsys, "test", *args).out.splitlines() if "tried as it is, but" in line]
    assert bool(lines) is (note is not None) is ("argumentsNote" in report(capsys, *args))
    assert note is None or lines[0].endswith(note)
