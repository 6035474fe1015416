"""`scan`: the matches in a folder, the skipped files, and the report."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import ttsr_ls, write

Capture = pytest.CaptureFixture[str]

ANY = "---\ncondition: [': any\\b', unknown]\nscope: tool:edit(*.ts), tool:write(*.ts)\n---\nName the type.\n"
EVAL = "---\nastCondition: eval($A)\nscope: tool\n---\nNo.\n"
FILES: dict[str, str | bytes] = {
    ".omp/rules/any.md": ANY,
    ".omp/rules/eval.md": EVAL,
    ".omp/rules/prose.md": "---\ncondition: '[^]'\nscope: text\n---\nNot of files.\n",
    ".omp/rules/asked.md": "---\ncondition: '[^]'\nquestion: Is it good?\n---\nA judge decides.\n",
    ".omp/rules/helper.md": "---\ncondition: 'TODO'\nagents: helper\nglobs: 'src/**'\n---\nOf another agent.\n",
    "src/a.ts": "let é = 1;\nlet b: any;\nlet c: unknown; eval(c)\n",
    "src/b.py": "eval(x)\n# TODO: any\n",
    "src/clean.ts": "let a = 1;\n",
    "src/bytes.ts": b"a\0: any",
    "src/large.ts": ": any;" + " " * 3000,
    "out/built.ts": "let a: any;\n",
    "node_modules/x/index.ts": "let a: any;\n",
    ".gitignore": "out/\n*.log\n",
    "src/.gitignore": "!keep.log\n",
    "src/keep.log": "TODO",
    "src/drop.log": "TODO",
}


@pytest.fixture(autouse=True)
def tree(project: Path) -> Path:
    write(project, FILES)
    return project


def report(capsys: Capture, *args: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(ttsr_ls(capsys, "scan", "--json", *args).out)
    return found


def found(capsys: Capture, *args: str) -> dict[str, list[str]]:
    files = report(capsys, *args)["files"]
    return {file["filePath"]: [match["name"] for match in file["matches"]] for file in files}


def test_matches_are_grouped_by_file_with_their_places(capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "scan", "src", "--max-bytes", "1000")
    assert ran.out.splitlines() == [
        "src/a.ts",
        "  2:6-11   any   let b: any;",
        "  3:8-15   any   let c: unknown; eval(c)",
        "  3:17-24  eval  let c: unknown; eval(c)",
        "",
        "src/b.py",
        "  1:1-8  eval    eval(x)",
        "  2:3-7  helper  # TODO: any",
        "",
        "src/keep.log",
        "  1:1-5  helper  TODO",
        "",
        "any     Name the type.",
        "eval    No.",
        "helper  Of another agent.",
        "",
        "6 matches in 3 files; tried 4 rules on 5 of 7 files; skipped 1 binary, 1 large.",
    ]
    assert (ran.status, ran.err) == (1, "")


def test_every_match_is_reported_also_across_lines(tree: Path, capsys: Capture) -> None:
    write(tree, {"one.md": "---\ncondition: 'a\\s+b'\nscope: tool\n---\nNo.\n", "new/x.txt": "a b a b\na\nb\n"})
    lines = ttsr_ls(capsys, "scan", "-r", "one.md", "new").out.splitlines()
    assert [line.split()[0] for line in lines[1:4]] == ["1:1-4", "1:5-8", "2:1-3:2"]


def test_the_message_of_a_rule_is_its_description_else_the_first_line_of_its_body(tree: Path, capsys: Capture) -> None:
    write(tree, {"one.md": f"---\ndescription: {'Name it. ' * 40}\ncondition: any\nscope: tool\n---\nNo.\n"})
    [message] = [
        line for line in ttsr_ls(capsys, "scan", "-r", "one.md", "src").out.splitlines() if line.startswith("one  ")
    ]
    assert message.startswith("one  Name it. Name it.")
    assert message.endswith("…")


def test_concise_is_one_line_a_match(capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "scan", "src/a.ts", "--format", "concise")
    assert ran.out.splitlines() == [
        "src/a.ts:2:6-2:11: any: let b: any;",
        "src/a.ts:3:8-3:15: any: let c: unknown; eval(c)",
        "src/a.ts:3:17-3:24: eval: let c: unknown; eval(c)",
        "any: Name the type.",
        "eval: No.",
    ]
    assert len(ttsr_ls(capsys, "scan", "src/a.ts", "--format", "concise", "--quiet").out.splitlines()) == 3
    assert ttsr_ls(capsys, "scan", "src/clean.ts", "--format", "concise").out == ""


def test_verbose_shows_the_conditions_and_what_was_skipped(capsys: Capture) -> None:
    out = ttsr_ls(capsys, "scan", "src", "--verbose").out.splitlines()
    assert out[:7] == [
        "src/a.ts",
        "  2:6-11   any   let b: any;",
        r"      /: any\b/",
        "  3:8-15   any   let c: unknown; eval(c)",
        "      /unknown/",
        "  3:17-24  eval  let c: unknown; eval(c)",
        "      ast eval($A)",
    ]
    assert "src/bytes.ts: skipped, binary" in out


def test_verbose_names_the_files_outside_of_every_scope(capsys: Capture) -> None:
    write(Path(), {"src/note.txt": "let a: any;"})
    one = ("--rule", ".omp/rules/any.md")
    assert "src/note.txt: skipped, outside of every rule's scope" in ttsr_ls(capsys, "scan", "src", "-v", *one).out
    for arguments in ([], ["--format", "concise"], ["--json"], ["--format", "sarif"]):
        assert "note.txt" not in ttsr_ls(capsys, "scan", "src", *one, *arguments).out


def place(line: int, start: int, end: int, condition: str, text: str) -> dict[str, Any]:
    at = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
    return {"range": at, "condition": condition, "text": text}


def test_the_report_as_json(tree: Path, capsys: Capture) -> None:
    found = report(capsys, "src", "--max-bytes", "1000")
    assert found["files"][0] == {
        "filePath": "src/a.ts",
        "matches": [
            {
                "name": "any",
                "path": str(tree / ".omp/rules/any.md"),
                "message": "Name the type.",
                "matched": {"regex": [": any\\b", "unknown"], "ast": []},
                "places": [place(1, 5, 10, ": any\\b", ": any"), place(2, 7, 14, "unknown", "unknown")],
                "complete": True,
            },
            {
                "name": "eval",
                "path": str(tree / ".omp/rules/eval.md"),
                "message": "No.",
                "matched": {"regex": [], "ast": ["eval($A)"]},
                "places": [place(2, 16, 23, "eval($A)", "eval(c)")],
                "complete": True,
            },
        ],
    }
    assert found["summary"] == {
        "totalFiles": 7,
        "scannedFiles": 5,
        "matchedFiles": 3,
        "totalMatches": 5,
        "totalPlaces": 6,
        "evaluatedRules": 4,
        "skippedFiles": 2,
        "skipped": {"binary": 1, "large": 1, "unreadable": 0, "noRelevantRules": 0},
        "gitignore": True,
        "maxBytes": 1000,
    }


def test_ignored_files_are_left_out_unless_asked_for(capsys: Capture) -> None:
    assert "out/built.ts" not in found(capsys)
    everything = found(capsys, "--no-gitignore")
    assert everything["out/built.ts"] == ["any"]
    assert everything["src/drop.log"] == ["helper"]
    assert not any("node_modules" in path for path in everything)


def test_max_bytes_of_zero_is_the_maximum(capsys: Capture) -> None:
    assert "src/large.ts" in found(capsys, "--max-bytes", "0")
    assert "src/large.ts" not in found(capsys, "--max-bytes", "3000")


def test_files_out_of_scope_are_counted_and_not_read(tree: Path, capsys: Capture) -> None:
    (tree / ".omp/rules/eval.md").unlink()
    (tree / ".omp/rules/helper.md").unlink()
    summary = report(capsys, "src")["summary"]
    assert summary["skipped"]["noRelevantRules"] == 3
    assert summary["scannedFiles"] == 3


def test_one_rule_alone_or_several(tree: Path, capsys: Capture) -> None:
    write(tree, {"off.md": "---\ncondition: eval\nenabled: false\n---\nOff, but named.\n"})
    assert found(capsys, "src", "-r", "off.md") == {"src/a.ts": ["off"], "src/b.py": ["off"]}
    both = found(capsys, "src", "-r", "off.md", "--rule", ".omp/rules/any.md")
    assert both["src/a.ts"] == ["off", "any"]


def test_a_folder_outside_is_shown_as_seen_from_here(
    tree: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree / "elsewhere").mkdir()
    monkeypatch.chdir(tree / "elsewhere")
    assert found(capsys, "-r", "../.omp/rules/any.md", "../src")["../src/a.ts"] == ["any"]


def test_an_absolute_folder_outside_is_shown_as_named(
    tree: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree / "elsewhere").mkdir()
    monkeypatch.chdir(tree / "elsewhere")
    shown = found(capsys, "-r", "../.omp/rules/any.md", str(tree / "src"))
    assert shown[f"{tree}/src/a.ts"] == ["any"]
    assert all(path.startswith(f"{tree}/src/") for path in shown)
    monkeypatch.chdir(tree)
    assert found(capsys, "-r", ".omp/rules/any.md", str(tree / "src"))["src/a.ts"] == ["any"]


def test_links_that_lead_out_of_the_folder_are_not_followed(tree: Path, capsys: Capture) -> None:
    (tree / "src" / "inside.ts").symlink_to("a.ts")
    (tree / "src" / "outside.ts").symlink_to(tree / "out" / "built.ts")
    (tree / "src" / "loop").symlink_to("..")
    (tree / "src" / "broken.ts").symlink_to("nowhere")
    os.mkfifo(tree / "src" / "pipe.ts")
    paths = found(capsys, "src")
    assert "src/inside.ts" in paths
    assert not {"src/outside.ts", "src/pipe.ts", "src/broken.ts"} & set(paths)


@pytest.mark.parametrize(
    ("args", "status", "message"),
    [
        (["nowhere"], 2, "there is no file or folder nowhere"),
        (["src/*.nix"], 2, "no file matches src/*.nix"),
        (["none/*.ts"], 2, "there is no folder none, so no file matches"),
        ([""], 2, "the name of a file or folder is empty"),
        (["--diff", "x", "--staged"], 2, "--diff and --staged cannot be combined"),
        (["--json", "--format", "sarif"], 2, "--json and --format sarif cannot be combined"),
        (["--write-baseline"], 2, "--write-baseline needs a file"),
        (["-r", "none.md"], 2, "none.md"),
        (["-r", "eval1"], 2, "no rule of this name here; did you mean 'eval'?"),
        (["-r", ".omp/rules/asked.md"], 2, "no condition that could be tried"),
        (["--max-bytes", "-1"], 2, "write a whole number of at least 0"),
        (["a\0b"], 2, "a\\x00b"),
    ],
)
def test_invalid_arguments_are_refused(capsys: Capture, args: list[str], status: int, message: str) -> None:
    ran = ttsr_ls(capsys, "scan", *args)
    assert ran.status == status
    assert message in ran.err


def test_a_rule_is_named_by_its_name_or_its_file(tree: Path, capsys: Capture) -> None:
    by_file = found(capsys, "-r", ".omp/rules/any.md", "src")
    assert by_file["src/a.ts"] == ["any"]
    assert found(capsys, "-r", "any", "src") == by_file
    write(tree, {".agents/rules/any.md": EVAL})
    assert found(capsys, "-r", "any", "src") == by_file
    assert ttsr_ls(capsys, "test", "x: any;", "-r", "any", "--path", "a.ts").status == 0
    write(tree, {".omp/rules/any.test.yml": "invalid: ['x: any;']\n"})
    assert ttsr_ls(capsys, "test", "-r", "any").out.startswith(".omp/rules/any.md .\n")


def test_no_rules_are_an_error_as_json_too(tree: Path, capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "scan", "--json", "-r", ".omp/rules/asked.md")
    assert ran.status == 2
    assert list(json.loads(ran.out)) == ["error"]


def test_control_characters_in_names_and_texts_are_escaped(tree: Path, capsys: Capture) -> None:
    write(tree, {"src/\x1b[31m.ts": "\x1b]0;x\x07: any;"})
    ran = ttsr_ls(capsys, "scan", "src")
    assert "\x1b" not in ran.out
    assert "src/\\x1b[31m.ts\n" in ran.out


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"\xef\xbb\xbfx: any;", "x: any;"),
        ("文中".encode("utf-16-le"), None),
        (b"\xff\xfe" + "文中".encode("utf-16-le"), "文中"),
        (b"\xff\xfe\x01\xd8" + "中".encode("utf-16-le") + b"x", "\\ud801中"),
        (b"\xfe\xff" + "文中".encode("utf-16-be"), None),
    ],
)
def test_byte_order_marks_decide_the_encoding_of_a_file(
    tree: Path, capsys: Capture, data: bytes, shown: str | None
) -> None:
    write(tree, {"src/odd.ts": data, "one.md": "---\ncondition: ': any|中$'\nscope: tool\n---\nNo.\n"})
    lines = ttsr_ls(capsys, "scan", "-r", "one.md", "src", "--format", "concise").out.splitlines()
    values = [line.partition(": one: ")[2] for line in lines if line.startswith("src/odd.ts")]
    assert values == ([] if shown is None else [shown])


def test_unevaluated_conditions_are_reported(tree: Path, capsys: Capture) -> None:
    write(tree, {"deep/a.yaml": "".join(" " * depth + "a:\n" for depth in range(400)) + "# eval(x)"})
    ran = ttsr_ls(capsys, "scan", "deep")
    assert "deep/a.yaml: AST conditions were not evaluated: the text is too long, or takes too long to parse" in ran.err
    assert ran.out == "No matches; tried 4 rules on 1 of 1 file.\n"
