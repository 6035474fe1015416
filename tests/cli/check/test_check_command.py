"""`check`: the files that it checks, its output, and its status."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.cli.command import ttsr_ls, type_in, write

GOOD = "---\ncondition: foo\n---\nSay so.\n"
BAD = "---\ncondition: foo|\n---\nSay so.\n"

Capture = pytest.CaptureFixture[str]


def paths_with_findings(capsys: Capture, *args: str) -> list[str]:
    return [finding["path"] for finding in json.loads(ttsr_ls(capsys, "check", *args, "--format", "json").out)]


def test_no_findings_is_status_0(project: Path, capsys: Capture) -> None:
    write(project, {"rule.md": GOOD})
    ran = ttsr_ls(capsys, "check", "rule.md")
    assert (ran.status, ran.out, ran.err) == (0, "No findings in 1 file.\n", "")


def test_text_output_shows_place_line_and_carets(project: Path, capsys: Capture) -> None:
    write(project, {"rule.md": BAD})
    ran = ttsr_ls(capsys, "check", "rule.md")
    lines = ran.out.splitlines()
    assert ran.status == 1
    assert lines[0].startswith("rule.md:2:12 error matches-everything This condition matches every text")
    fix = "        fix (unsafe): Remove the empty alternative"
    assert lines[1:] == ["    2 | condition: foo|", "      |            ^^^^", fix, "", "1 error in 1 of 1 file."]


def test_json_output_counts_utf16_from_0(project: Path, capsys: Capture) -> None:
    write(project, {"rule.md": "---\ncondition: ['😀', '😀', '(']\n---\nSay so.\n"})
    ran = ttsr_ls(capsys, "check", "rule.md", "--format", "json")
    found = {finding["code"]: finding for finding in json.loads(ran.out)}
    assert ran.status == 1
    keys = ["path", "code", "severity", "message", "range", "fixes", "url", "related"]
    assert list(found["redundant-condition"]) == keys
    page = Path(urlsplit(found["redundant-condition"]["url"]).path)
    assert page.read_text().lstrip().startswith("# redundant-condition")
    assert found["regex-does-not-compile"]["range"] == {
        "start": {"line": 1, "character": 25},
        "end": {"line": 1, "character": 26},
    }
    repeated = found["redundant-condition"]
    assert repeated["range"]["start"] == {"line": 1, "character": 18}
    (fix,) = repeated["fixes"]
    assert fix["safety"] == "safe"
    assert fix["edits"] == [
        {"range": {"start": {"line": 1, "character": 16}, "end": {"line": 1, "character": 22}}, "newText": ""}
    ]
    assert repeated["related"] == [
        {
            "message": "the same condition",
            "range": {"start": {"line": 1, "character": 12}, "end": {"line": 1, "character": 16}},
        }
    ]


def test_no_findings_is_an_empty_json_list(project: Path, capsys: Capture) -> None:
    write(project, {"rule.md": GOOD})
    assert json.loads(ttsr_ls(capsys, "check", "rule.md", "--format", "json").out) == []


def test_folder_is_searched_for_rule_files(project: Path, capsys: Capture) -> None:
    taken_names = [
        ".agent/rules/a.md",
        ".agents/rules/b.md",
        ".omp/rules/c.md",
        ".omp/rules/d.mdc",
        "pkg/.omp/rules/e.md",
        "rules/f.md",
        "shared/g.md",
    ]
    left = [
        ".omp/rules/.hidden.md",
        ".omp/rules/h.txt",
        "node_modules/x/rules/i.md",
        ".git/rules/j.md",
    ]
    write(project, dict.fromkeys([*taken_names, *left], BAD))
    assert paths_with_findings(capsys, ".") == taken_names


def test_markdown_that_is_no_rule_is_skipped(project: Path, capsys: Capture) -> None:
    write(
        project,
        {
            "README.md": "# A project\n\ncondition: foo|\n",
            "docs/post.md": "---\ntitle: A post\nlayout: page\n---\nText.\n",
            "rules/README.md": "# Our rules\n",
            ".omp/rules/README.md": "# Our rules\n",
            ".omp/rules/rule.md": GOOD,
        },
    )
    ran = ttsr_ls(capsys, "check", ".")
    assert (ran.status, ran.out) == (0, "No findings in 1 file.\n")


def test_markdown_with_frontmatter_in_a_named_folder_is_a_rule(project: Path, capsys: Capture) -> None:
    write(project, {"mine/a.md": "---\nname: x\n---\nSay so.\n", "mine/notes/b.md": "---\nname: x\n---\nSay so.\n"})
    assert ttsr_ls(capsys, "check", "mine").out.splitlines()[-1].endswith("of 1 file.")


def test_a_file_argument_of_any_name_is_checked_as_a_rule(project: Path, capsys: Capture) -> None:
    write(project, {"README.md": BAD})
    assert paths_with_findings(capsys, "README.md") == ["README.md"]


def test_a_file_named_twice_is_checked_once(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": BAD})
    assert paths_with_findings(capsys, ".omp/rules/a.md", ".omp", ".omp/rules/a.md") == [".omp/rules/a.md"]


def test_rules_of_one_project_are_compared_by_name(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": GOOD, ".agents/rules/a.md": GOOD})
    ran = ttsr_ls(capsys, "check", ".agents/rules/a.md")
    assert ran.out.startswith(".agents/rules/a.md:1:1 warning shadowed-name This rule is never loaded: .omp/rules/a.md")


def test_a_disabled_rule_shadows_no_other(project: Path, capsys: Capture) -> None:
    off = GOOD.replace("foo", "foo\nenabled: false")
    write(project, {".omp/rules/a.md": off, ".agents/rules/a.md": GOOD})
    assert ttsr_ls(capsys, "check", ".agents/rules/a.md").status == 0
    assert "shadowed-name" not in ttsr_ls(capsys, "check", ".omp/rules/a.md").out


def test_a_rule_without_a_body_shadows_a_later_one(project: Path, capsys: Capture) -> None:
    """Recorded: `an empty file takes its name along` in tests/vectors/discovery.json.gz."""
    write(project, {".omp/rules/a.md": "---\ncondition: foo\n---\n", ".agents/rules/a.md": GOOD})
    assert "warning shadowed-name" in ttsr_ls(capsys, "check", ".agents/rules/a.md").out
    assert "shadowed-name" not in ttsr_ls(capsys, "check", ".omp/rules/a.md").out


def test_rules_of_one_project_are_compared_from_within_their_folder(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    write(project, {".omp/rules/a.md": GOOD, ".agents/rules/a.md": GOOD, ".agents/rules/b.md": GOOD})
    monkeypatch.chdir(project / ".agents" / "rules")
    ran = ttsr_ls(capsys, "check", "a.md", "b.md")
    assert ran.out.startswith("a.md:1:1 warning shadowed-name This rule is never loaded: ../../.omp/rules/a.md is also")
    assert ran.out.endswith("1 warning in 1 of 2 files.\n")


def test_rules_at_home_do_not_change_what_a_project_gets(project: Path, capsys: Capture) -> None:
    write(project, {".agents/rules/a.md": GOOD, "../home/.omp/agent/rules/a.md": GOOD})
    assert ttsr_ls(capsys, "check", ".").status == 0


def test_standard_input_is_one_rule(project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    type_in(monkeypatch, BAD.encode())
    assert paths_with_findings(capsys, "-", "--stdin-name", ".omp/rules/x.md") == [".omp/rules/x.md"]


def test_standard_input_does_not_mix_with_files(project: Path, capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "check", "-", ".")
    assert ran.status == 2
    assert "cannot be mixed" in ran.err


def test_missing_file_is_a_usage_error(project: Path, capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "check", "missing.md")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "ttsr-ls: there is no file or folder missing.md\n"


def test_an_empty_path_is_refused(project: Path, capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "check", "")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "ttsr-ls: the name of a file or folder is empty\n"


def test_invalid_utf8_is_reported_once_per_place(project: Path, capsys: Capture) -> None:
    write(project, {"rule.md": b"---\ncondition: 'a\xff\xfeb'\n---\nSay so.\n"})
    findings = json.loads(ttsr_ls(capsys, "check", "rule.md", "--format", "json").out)
    assert [finding["code"] for finding in findings] == ["invalid-utf8"]
    assert findings[0]["range"] == {"start": {"line": 1, "character": 13}, "end": {"line": 1, "character": 15}}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"---\ncondition: a\0b\n---\nx\n", "it is a binary file"),
        (b"---\ncondition: a\n---\n" + b"x" * 2_000_000, "it is larger than 1024 KiB"),
    ],
)
def test_file_that_cannot_be_checked_does_not_stop_the_others(
    content: bytes, reason: str, project: Path, capsys: Capture
) -> None:
    write(project, {".omp/rules/a.md": content, ".omp/rules/b.md": BAD})
    ran = ttsr_ls(capsys, "check", ".")
    assert ran.status == 2
    assert reason in ran.err
    assert ".omp/rules/b.md:2:12 error" in ran.out


@pytest.mark.parametrize(("encoding", "mark"), [("UTF-16LE", b""), ("UTF-16BE", b""), ("UTF-16BE", b"\xfe\xff")])
def test_a_utf16_file_has_a_finding(encoding: str, mark: bytes, project: Path, capsys: Capture) -> None:
    text = "---\ncondition: größer\n---\nSay so.\n"
    write(project, {".omp/rules/a.md": mark + text.encode(encoding), ".omp/rules/b.md": BAD})
    ran = ttsr_ls(capsys, "check", ".")
    assert (ran.status, ran.err) == (1, "")
    assert f".omp/rules/a.md:1:1 error invalid-utf8 This file is in {encoding}." in ran.out
    assert ".omp/rules/b.md:2:12 error" in ran.out
    assert ttsr_ls(capsys, "check", ".omp/rules/a.md", "--fix", "--unsafe-fixes").status == 1
    assert (project / ".omp/rules/a.md").read_bytes() == mark + text.encode(encoding)


def test_instructions_that_copilot_ignores_because_of_their_name_are_reported(project: Path, capsys: Capture) -> None:
    rule = "---\napplyTo: '**'\n---\nSay so.\n"
    folder = ".github/instructions"
    files = (f"{folder}/memory.instruction.md", f"{folder}/ui/zustand.md")
    write(project, {**dict.fromkeys(files, rule), f"{folder}/README.md": "# Rules\n", "docs/a.md": rule})
    out = ttsr_ls(capsys, "check", ".").out
    assert f"{files[0]}:1:1 warning not-discovered" in out
    assert "Call it `memory.instructions.md`" in out
    assert "Call it `zustand.instructions.md`" in out
    assert "2 of 2 files" in out


def test_a_file_with_invalid_utf8_has_a_finding(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": b"---\ncondition: caf\xe9\n---\nSay so.\n"})
    ran = ttsr_ls(capsys, "check", "a.md")
    assert ran.status == 1
    assert ran.out.count("invalid-utf8") == 1


def test_control_characters_of_a_rule_do_not_reach_the_terminal(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": b"---\ncondition: ['\x1b]0;owned\x07', '\x1b]0;owned\x07']\n---\nx\n"})
    out = ttsr_ls(capsys, "check", "a.md").out
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "\\x1b]0;owned\\x07" in out


def test_byte_order_mark_is_no_finding(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": b"\xef\xbb\xbf" + GOOD.encode()})
    assert ttsr_ls(capsys, "check", "a.md").status == 0


def test_link_to_a_folder_above_is_not_followed(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": BAD})
    (project / ".omp" / "rules" / "loop").symlink_to(project)
    assert paths_with_findings(capsys, ".") == [".omp/rules/a.md"]


def test_a_folder_without_rules_is_reported(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "empty").mkdir()
    ran = ttsr_ls(capsys, "check", "empty")
    assert (ran.status, ran.out) == (0, "No rule files found.\n")
