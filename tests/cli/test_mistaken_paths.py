"""Paths that a user names by mistake: an empty one, a folder for a file, a file for a folder, and a quoted glob."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls, write

Capture = pytest.CaptureFixture[str]
RULE = "---\ncondition: foo\n---\nSay so.\n"
EMPTY = "the name of a file or folder is empty"
EMPTY_PATHS = [
    ["agent", "--log", ""],
    ["agent", "--continue", ""],
    ["agent", "--script", ""],
    ["check", ""],
    ["check", "--baseline", ""],
    ["check", "--config", ""],
    ["check", "--output", ""],
    ["check", "-", "--stdin-name", ""],
    ["convert", "--to", "cursor", ""],
    ["list", "--rules", ""],
    ["mcp", "--log", ""],
    ["new", "a", "--dir", ""],
    ["replay", ""],
    ["run", "claude", "--cwd", ""],
    ["run", "claude", "--log", ""],
    ["run", "claude", "--program", ""],
    ["scan", ""],
    ["sessions", "export", "--output", ""],
    ["test", "--file", ""],
    ["watch", ""],
    ["watch", "--cwd", ""],
    ["why", "a", "--file", ""],
]
EMPTY_NAMES = [["scan", "--rule", ""], ["sessions", "show", ""], ["test", "x", "--rule", ""]]


@pytest.mark.parametrize("arguments", EMPTY_PATHS + EMPTY_NAMES, ids=" ".join)
def test_an_empty_argument_is_refused_and_does_not_mean_the_current_folder(
    arguments: list[str], project: Path, capsys: Capture
) -> None:
    """As of a shell variable that is not set."""
    write(project, {".omp/rules/a.md": RULE})
    before = sorted(project.rglob("*"))
    ran = ttsr_ls(capsys, *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert (EMPTY if arguments in EMPTY_PATHS else "the name is empty") in ran.err
    assert sorted(project.rglob("*")) == before


def test_why_says_that_a_folder_is_no_rule(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": RULE, "a/b.txt": "", "src/b.txt": ""})
    assert ttsr_ls(capsys, "why", "a").status == 0
    for folder in (".omp/rules", "src"):
        answer = json.loads(ttsr_ls(capsys, "why", folder, "--json").out)
        assert (answer["stoppedBy"], answer["gates"][-1]["text"]) == ("found", "It is a folder, and a rule is a file.")


def test_rules_takes_a_folder(project: Path, capsys: Capture) -> None:
    write(project, {"rules/a.md": RULE})
    ran = ttsr_ls(capsys, "list", "--rules", "rules/a.md")
    message = "--rules names a folder, and rules/a.md is a file: name the folder that it is in"
    assert (ran.status, ran.err) == (2, f"ttsr-ls: {message}\n")


def test_check_takes_no_glob(project: Path, capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "check", ".omp/rules/*.md")
    assert ran.status == 2
    assert "globs are for the shell: leave out the quotes, or name the folder" in ran.err


@pytest.mark.parametrize(
    ("data", "encoding"),
    [("foo".encode("utf-16"), "UTF-16LE"), ("foo".encode("utf-16-be"), "UTF-16BE"), (b"\xfe\xff\0f", "UTF-16BE")],
)
def test_a_text_in_utf_16_is_refused(data: bytes, encoding: str, project: Path, capsys: Capture) -> None:
    """As UTF-8 it would have a NUL after each letter, and no rule would fire."""
    write(project, {".omp/rules/a.md": RULE, "a.txt": data})
    for arguments in (["test", "--file", "a.txt"], ["why", "a", "--file", "a.txt"]):
        ran = ttsr_ls(capsys, *arguments)
        assert (ran.status, ran.err) == (2, f"ttsr-ls: cannot test a.txt: it is {encoding}; save it as UTF-8\n")


def test_a_note_appears_if_a_text_has_bytes_that_are_not_utf_8(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": RULE, "latin.txt": b"caf\xe9 foo", "utf.txt": "\ufffd foo"})
    ran = ttsr_ls(capsys, "test", "--file", "latin.txt")
    assert (ran.status, ran.err) == (
        0, "ttsr-ls: latin.txt has bytes that are not UTF-8; each is read as U+FFFD\n",
    )  # fmt: skip
    assert "fires  a at" in ran.out
    assert ttsr_ls(capsys, "test", "--file", "utf.txt").err == ""


@pytest.mark.parametrize("form", ["text", "jsonl"])
def test_watch_warns_of_a_stream_without_a_turn_in_each_format(form: str, project: Path, capsys: Capture) -> None:
    write(project, {"s.jsonl": '{"type": "system", "subtype": "x"}\n'})
    ran = ttsr_ls(capsys, "watch", "--from", "claude", "s.jsonl", "--no-log", "--format", form)
    assert "The stream has no turn in a known format; check --from" in ran.out + ran.err


def test_the_name_of_a_rule_that_cannot_be_read_is_known(project: Path, capsys: Capture) -> None:
    (project / ".omp/rules").mkdir(parents=True)
    (project / ".omp/rules/gone.md").symlink_to("nowhere")
    write(project, {"a.ts": "x"})
    for arguments in (["explain", "gone"], ["test", "x", "--rule", "gone"], ["scan", "a.ts", "--rule", "gone"]):
        ran = ttsr_ls(capsys, *arguments)
        assert (ran.status, ran.out) == (2, "")
        assert ".omp/rules/gone.md: No such file or directory" in ran.err


def test_the_name_of_a_rule_that_git_ignores_is_known(project: Path, capsys: Capture) -> None:
    write(project, {".git/HEAD": "", ".gitignore": "draft.md\n", ".omp/rules/draft.md": RULE})
    assert ttsr_ls(capsys, "explain", "draft").out.startswith("draft\n\nFires: ")
    assert "fires  draft at 3" in ttsr_ls(capsys, "test", "foo", "--rule", "draft").out


def test_replay_names_folders_that_cannot_be_read(
    project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project, {".omp/rules/a.md": RULE, "kept/closed/s.jsonl": "", "kept/s.jsonl": ""})
    scan = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", scandir)
    ran = ttsr_ls(capsys, "replay", "kept", "--jobs", "1")
    assert "ttsr-ls: cannot read kept/closed: Permission denied\n" in ran.err


POWERSHELL = '{"type": "system", "subtype": "init", "session_id": "s"}\n'.encode("utf-16")
"""What `agent > s.jsonl` writes in Windows PowerShell."""


@pytest.mark.parametrize("source", ["auto", "claude"])
def test_watch_refuses_utf_16(source: str, project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": RULE, "s.jsonl": POWERSHELL})
    ran = ttsr_ls(capsys, "watch", "s.jsonl", "--from", source, "--no-log")
    message = "cannot read UTF-16, which `>` in Windows PowerShell writes; save the output as UTF-8"
    assert (ran.status, ran.err) == (2, f"ttsr-ls: {message}\n")


def test_replay_names_utf_16(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": RULE, "s.jsonl": POWERSHELL})
    ran = ttsr_ls(capsys, "replay", "s.jsonl", "--jobs", "1")
    assert (ran.status, ran.err) == (2, "ttsr-ls: cannot replay s.jsonl: it is UTF-16; save it as UTF-8\n")


def test_configuration_and_tests_of_rules_in_utf_16_are_named(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": RULE, ".omp/rules/a.test.yml": "valid: [x]\n".encode("utf-16")})
    ran = ttsr_ls(capsys, "test")
    assert (ran.status, "as a file in UTF-16 has. Save it as UTF-8." in ran.out) == (1, True)
    write(project, {"ttsr-ls.toml": "ignore = []\n".encode("utf-16")})
    ran = ttsr_ls(capsys, "list")
    assert (ran.status, ran.err.endswith("ttsr-ls.toml: it is not UTF-8; save it as UTF-8\n")) == (2, True)
