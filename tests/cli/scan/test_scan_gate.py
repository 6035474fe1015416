"""`scan` as a gate: its formats for programs, its status, its baseline, and comments that silence matches."""

from __future__ import annotations

import errno
import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.command import ttsr_ls, write
from tests.cli.report_schemas import assert_gitlab, assert_junit, assert_sarif
from ttsr_ls.cli.scan.progress import ProgressDisplay
from ttsr_ls.store.discovery import scan_tree
from ttsr_ls.store.files.bounded_file import MAX_RULE_BYTES

Capture = pytest.CaptureFixture[str]

ANY = "---\ndescription: Types are named.\ncondition: ': any\\b'\nscope: tool:edit(*.ts), tool:write(*.ts)\n---\nNo.\n"
EVAL = "---\nastCondition: eval($A)\nscope: tool\n---\nNever call `eval`.\n\nParse instead.\n"
OFF = "---\ncondition: foo(\nenabled: false\n---\nSay so.\n"
FILES: dict[str, str | bytes] = {
    ".omp/rules/any.md": ANY,
    ".omp/rules/eval.md": EVAL,
    "src/a.ts": "let 😀: any;\nlet b: any; eval(b); eval(eval(c))\n",
    "src/b & c.ts": "let a: any;\nlet a: any;\n",
    "src/clean.ts": "let a = 1;\n",
}


@pytest.fixture(autouse=True)
def tree(project: Path) -> Path:
    write(project, FILES)
    return project


def concise(capsys: Capture, *args: str) -> list[str]:
    lines = ttsr_ls(capsys, "scan", "--quiet", "--format", "concise", *args).out.splitlines()
    return [line.split(": ")[0] + " " + line.split(": ")[1] for line in lines]


def test_sarif_describes_the_rules_and_has_every_match(capsys: Capture) -> None:
    log = json.loads(ttsr_ls(capsys, "scan", "src", "--format", "sarif").out)
    assert_sarif(log)
    (run,) = log["runs"]
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert rules["any"]["shortDescription"] == {"text": "Types are named."}
    assert rules["eval"]["help"]["markdown"].startswith("Never call `eval`.\n\nParse")
    places = [
        (result["ruleId"], *result["locations"][0]["physicalLocation"]["region"].values()) for result in run["results"]
    ]
    assert places == [
        ("any", 1, 7, 1, 12),
        ("any", 2, 6, 2, 11),
        ("eval", 2, 13, 2, 20),
        ("eval", 2, 22, 2, 35),
        ("eval", 2, 27, 2, 34),
        ("any", 1, 6, 1, 11),
        ("any", 2, 6, 2, 11),
    ]


def test_junit_has_a_case_for_each_match(capsys: Capture) -> None:
    out = ttsr_ls(capsys, "scan", "src", "--format", "junit").out
    assert_junit(out)
    (suite,) = ElementTree.fromstring(out)
    assert (suite.get("name"), suite.get("failures")) == ("ttsr-ls scan", "7")
    assert {case.get("classname") for case in suite} == {"src/a.ts", "src/b & c.ts"}


def test_gitlab_has_unique_fingerprints(capsys: Capture) -> None:
    issues = json.loads(ttsr_ls(capsys, "scan", "src", "--format", "gitlab").out)
    assert_gitlab(issues)
    assert len(issues) == 7
    assert issues[0]["location"] == {
        "path": "src/a.ts",
        "lines": {"begin": 1, "end": 1},
        "positions": {"begin": {"line": 1, "column": 6}, "end": {"line": 1, "column": 11}},
    }


def test_github_annotates_each_match(capsys: Capture) -> None:
    lines = ttsr_ls(capsys, "scan", "src/a.ts", "--format", "github").out.splitlines()
    assert len(lines) == 5
    assert lines[0] == "::warning file=src/a.ts,line=1,endLine=1,col=6,endColumn=10,title=any::Types are named."


def test_json_lines_are_findings(capsys: Capture) -> None:
    lines = ttsr_ls(capsys, "scan", "src/a.ts", "--format", "jsonl").out.splitlines()
    first = json.loads(lines[0])
    assert len(lines) == 5
    assert (first["path"], first["code"]) == ("src/a.ts", "any")
    assert first["range"] == {"start": {"line": 0, "character": 6}, "end": {"line": 0, "character": 11}}


@pytest.mark.parametrize("name", ["text", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit"])
def test_the_status_is_1_if_a_rule_matches(capsys: Capture, name: str) -> None:
    assert ttsr_ls(capsys, "scan", "src", "--format", name).status == 1
    assert ttsr_ls(capsys, "scan", "src", "--format", name, "--exit-zero").status == 0
    assert ttsr_ls(capsys, "scan", "src/clean.ts", "--format", name).status == 0


def test_a_report_goes_to_a_file(tree: Path, capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "scan", "src", "--format", "jsonl", "--output", "out.jsonl")
    assert (ran.status, ran.out) == (1, "")
    assert len((tree / "out.jsonl").read_text("utf-8").splitlines()) == 7


def test_files_folders_and_globs_are_scanned_once_each(tree: Path, capsys: Capture) -> None:
    write(
        tree, {"src/deep/d.ts": "x: any", "src/deep/d.js": "eval(x)", ".gitignore": "*.gen.ts\n", "g.gen.ts": "x: any"}
    )
    assert concise(capsys, "src/deep") == ["src/deep/d.js:1:1-1:8 eval", "src/deep/d.ts:1:2-1:7 any"]
    assert concise(capsys, "src/deep/d.ts", "src/deep/*.ts", "src/deep") == [
        "src/deep/d.ts:1:2-1:7 any",
        "src/deep/d.js:1:1-1:8 eval",
    ]
    assert concise(capsys, "*.js") == ["src/deep/d.js:1:1-1:8 eval"]
    assert concise(capsys, "src/**/d.*") == concise(capsys, "./src/deep/*.{js,ts}")
    assert concise(capsys, "g.gen.ts") == ["g.gen.ts:1:2-1:7 any"], (
        "a file that is named is scanned though git ignores it"
    )
    assert ttsr_ls(capsys, "scan", "*.gen.ts").status == 2


def test_a_file_whose_name_looks_like_a_glob_is_that_file(tree: Path, capsys: Capture) -> None:
    write(tree, {"src/[id].ts": "x: any", "src/i.ts": "x: any"})
    assert concise(capsys, "src/[id].ts") == ["src/[id].ts:1:2-1:7 any"]


def test_a_file_that_cannot_be_read_makes_the_status_2(
    tree: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(path: str) -> int:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr(scan_tree, "open_regular", denied)
    ran = ttsr_ls(capsys, "scan", "src/a.ts", "--format", "sarif")
    assert (ran.status, ran.err) == (2, "ttsr-ls: cannot read src/a.ts: Permission denied\n")
    log = json.loads(ran.out)
    assert_sarif(log)
    assert log["runs"][0]["invocations"][0]["executionSuccessful"] is False


def test_with_a_baseline_only_new_matches_are_reported(tree: Path, capsys: Capture) -> None:
    wrote = ttsr_ls(capsys, "scan", "src", "--baseline", "known.json", "--write-baseline")
    assert wrote.status == 0
    assert wrote.err == "ttsr-ls: wrote 7 findings to known.json\n"
    assert "7 of the baseline not shown" in wrote.out
    write(tree, {"src/a.ts": "// moved\n" + str(FILES["src/a.ts"]) + "let n: any;\n"})
    again = ttsr_ls(capsys, "scan", "src", "--baseline", "known.json", "--format", "concise")
    assert again.out.splitlines() == ["src/a.ts:4:6-4:11: any: let n: any;", "any: Types are named."]
    assert again.status == 1


def test_comments_silence_the_rules_that_they_name(tree: Path, capsys: Capture) -> None:
    write(
        tree,
        {
            "src/a.ts": "a: any; // ttsr-ls: ignore[any] the library has no types\n// ttsr-ls: ignore[eval, any]\n\n"
            "b: any; eval(x);\nc: any; // ttsr-ls: ignore[eval]\n",
            "src/b & c.ts": "/* ttsr-ls: ignore-file[any] */\nlet a: any; eval(a);\n",
        },
    )
    assert concise(capsys, "src") == ["src/a.ts:5:2-5:7 any", "src/b & c.ts:2:13-2:20 eval"]
    assert "; 4 silenced by comments." in ttsr_ls(capsys, "scan", "src").out
    assert len(concise(capsys, "src", "--no-suppressions")) == 6


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal_after_a_while_and_removed() -> None:
    out, now = Terminal(), [0.0]
    progress = ProgressDisplay(10, out, lambda: now[0])
    progress.on_file(0)
    assert out.getvalue() == ""
    now[0] = 1.5
    progress.on_file(3)
    progress.on_file(4)
    assert out.getvalue() == "\r\x1b[Kscanned 3 of 10 files"
    progress.clear()
    progress.clear()
    assert out.getvalue() == "\r\x1b[Kscanned 3 of 10 files\r\x1b[K"


def test_no_progress_is_shown_without_a_terminal() -> None:
    out = io.StringIO()
    progress = ProgressDisplay(10, out, lambda: 100.0)
    progress.on_file(5)
    progress.clear()
    assert out.getvalue() == ""


@pytest.mark.parametrize("args", [[], ["--exit-zero"], ["--quiet"]])
def test_an_unreadable_rule_makes_the_status_2(tree: Path, capsys: Capture, args: list[str]) -> None:
    write(tree, {".omp/rules/large.md": "#" * (MAX_RULE_BYTES + 1)})
    ran = ttsr_ls(capsys, "scan", *args)
    assert ".omp/rules/large.md: it is larger than 1024 KiB" in ran.err
    assert "src/a.ts" in ran.out
    assert ran.status == 2


def test_a_rule_without_a_valid_trigger_is_reported(tree: Path, capsys: Capture) -> None:
    write(tree, {".omp/rules/broken.md": "---\ncondition: foo(\n---\nSay so.\n", ".omp/rules/off.md": OFF})
    ran = ttsr_ls(capsys, "scan", "src")
    message = "the rule 'broken' is not tried, because it has no valid trigger; 'ttsr-ls check' says why"
    assert ran.err == f"ttsr-ls: {message}\n"
    assert "tried 2 rules on" in ran.out
