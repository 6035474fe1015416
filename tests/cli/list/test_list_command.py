"""`list`: each rule file that applies here, with its bucket and the reason."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls, write
from ttsr_ls.cli import loading_notes
from ttsr_ls.text import LineIndex

Capture = pytest.CaptureFixture[str]


def rows(capsys: Capture) -> dict[str, str]:
    """Each rule's line without its name."""
    lines = ttsr_ls(capsys, "list", "--all").out.splitlines()[1:]
    return {line.split()[0]: " ".join(line.split()[1:]) for line in lines if line[0] != " "}


def test_without_rules_the_rule_folders_are_printed(project: Path, capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "list")
    assert ran.status == 0
    assert ran.out.startswith("No rules here. Rules are Markdown files in .omp/rules")


def test_rules_of_other_programs_are_mentioned_if_there_are_no_own_rules(project: Path, capsys: Capture) -> None:
    write(
        project,
        {
            ".claude/hookify.no-rm.local.md": "---\nname: no-rm\nevent: bash\npattern: rm\n---\nNo.\n",
            ".claude/settings.md": "No rule.\n",
            ".claude/rules/deep/types.md": "---\npaths: '*.ts'\n---\nUse types.\n",
        },
    )
    ran = ttsr_ls(capsys, "list")
    assert ran.status == 0
    assert ran.out.splitlines()[1:] == [
        "Other programs read 2 rule files here, such as .claude/hookify.no-rm.local.md. `ttsr-ls check` lints them, "
        "and `ttsr-ls convert FILE --to omp` translates them to rules that are listed."
    ]
    assert len(ttsr_ls(capsys, "list", "--quiet").out.splitlines()) == 1
    write(project, {".omp/rules/a.md": "---\ncondition: a\n---\nx\n"})
    assert "Other programs" not in ttsr_ls(capsys, "list").out


def test_an_unreadable_rule_suppresses_the_note_on_other_programs(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/big.md": "x" * 2_000_000, ".claude/rules/types.md": "Use types.\n"})
    assert ttsr_ls(capsys, "list").out == "No rule here can be read.\n"


def test_no_rules_is_an_empty_json_list(project: Path, capsys: Capture) -> None:
    assert json.loads(ttsr_ls(capsys, "list", "--json").out) == []


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("---\ncondition: foo\n---\nx\n", "ttsr native fires on /foo/ in text, tool (default)"),
        (
            "---\ncondition: [a, b]\nscope: tool:edit\nglobs: ['*.ts', '*.js']\n---\nx\n",
            "ttsr native fires on /a/ or /b/ in tool:edit on *.ts, *.js",
        ),
        ("---\nquestion: rude?\n---\nx\n", "ttsr native fires on question: rude? in text, tool (default)"),
        (
            "---\nalwaysApply: true\n---\nx\n",
            "always native part of every prompt (alwaysApply); does not fire: it has no condition, AST "
            "condition or question",
        ),
        (
            "---\ndescription: d\n---\nx\n",
            "rulebook native listed in the prompt with its description; does not fire: it has no condition, AST "
            "condition or question",
        ),
        ("x\n", "dropped native it has no frontmatter, and so no condition"),
        (
            "---\ncondition: '('\ndescription: d\n---\nx\n",
            "rulebook native listed in the prompt with its description; does not fire: none of its conditions compiles",
        ),
        (
            "---\ncondition: foo\nscope: 'tool:*'\n---\nx\n",
            "dropped native no part of its scope names a stream",
        ),
        (
            "---\ncondition: ['(', ok]\n---\nx\n",
            "ttsr native fires on /ok/ in text, tool (default); 1 of its conditions does not compile",
        ),
        ("---\ncondition: foo\nenabled: false\n---\nx\n", "disabled native switched off by `enabled: false`"),
        ("---\ncondition: foo\n---\n", "dropped native the file has no body"),
        (
            "---\ncondition: foo\nagents: [sub, scout]\n---\nx\n",
            "ttsr native fires on /foo/ in text, tool (default) of the agents sub, scout",
        ),
    ],
)
def test_a_row_has_the_bucket_and_the_reason(text: str, row: str, project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/rule.md": text})
    assert rows(capsys) == {"rule": row}


def test_a_shadowed_rule_is_listed_with_the_shadowing_file(project: Path, capsys: Capture) -> None:
    text = "---\ncondition: foo\n---\nx\n"
    write(project, {".omp/rules/rule.md": text, ".agents/rules/rule.md": text})
    lines = ttsr_ls(capsys, "list", "--all").out.splitlines()
    assert lines[1].split()[:3] == ["rule", "ttsr", "native"]
    assert lines[2] == "    .omp/rules/rule.md, of the project"
    assert lines[3].split(maxsplit=3) == ["rule", "dropped", "agents", "shadowed by .omp/rules/rule.md"]


def test_json_has_only_rules_that_fire(project: Path, capsys: Capture) -> None:
    write(
        project,
        {
            ".omp/rules/a.md": "---\ncondition: foo\ndescription: d\nscope: text\nglobs: '*'\nagents: main\n---\nx\n",
            ".omp/rules/b.md": "---\nalwaysApply: true\n---\nx\n",
        },
    )
    assert json.loads(ttsr_ls(capsys, "list", "--json").out) == [
        {
            "name": "a",
            "path": str(project / ".omp" / "rules" / "a.md"),
            "provider": "native",
            "dialect": "omp",
            "condition": ["foo"],
            "astCondition": [],
            "scope": ["text"],
            "globs": ["*"],
            "agents": ["main"],
            "description": "d",
        }
    ]


def test_file_that_cannot_be_read_is_reported_beside_the_others(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": b"x" * 2_000_000, ".omp/rules/b.md": "---\ncondition: foo\n---\nx\n"})
    ran = ttsr_ls(capsys, "list")
    assert ran.status == 2
    assert "a.md: it is larger than 1024 KiB" in ran.err
    assert "b     ttsr" in ran.out


def test_a_pipe_in_a_rule_folder_is_reported(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/b.md": "---\ncondition: foo\n---\nx\n"})
    os.mkfifo(project / ".omp/rules/a.md")
    ran = ttsr_ls(capsys, "list")
    assert (ran.status, ran.err) == (2, f"ttsr-ls: cannot read {project}/.omp/rules/a.md: it is not a file\n")
    assert "b     ttsr" in ran.out


def test_folder_that_is_named_comes_first(project: Path, capsys: Capture) -> None:
    text = "---\ncondition: foo\n---\nx\n"
    write(project, {"mine/rule.md": text, ".omp/rules/rule.md": text})
    found = json.loads(ttsr_ls(capsys, "list", "--rules", "mine", "--json").out)
    assert [(rule["path"], rule["provider"]) for rule in found] == [(str(project / "mine" / "rule.md"), "extra")]


def test_folder_that_does_not_exist_is_a_usage_error(project: Path, capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "list", "--rules", "missing")
    assert ran.status == 2
    assert ran.err.endswith("missing with rules\n")


def test_control_characters_in_names_are_escaped(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a\x1b[2J.md": "---\ncondition: foo\n---\nx\n"})
    assert "\x1b" not in ttsr_ls(capsys, "list").out


def test_unreadable_settings_are_reported(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/a.md": "---\ncondition: foo\n---\nx\n"})
    (project / ".omp/config.yml").mkdir()
    ran = ttsr_ls(capsys, "list")
    assert "fires on /foo/" in ran.out
    assert ran.err == f"ttsr-ls: cannot read {project}/.omp/config.yml: Is a directory\n"


def test_an_unreadable_folder_is_reported_once(project: Path, capsys: Capture) -> None:
    (project / ".omp").symlink_to(".omp")
    ran = ttsr_ls(capsys, "list")
    assert ran.err == f"ttsr-ls: cannot read the folder {project}/.omp: {os.strerror(errno.ELOOP)}\n"


def test_missing_settings_are_not_reported(project: Path, capsys: Capture) -> None:
    (project / ".omp").write_text("a file")
    assert ttsr_ls(capsys, "list").err == ""


def test_notes_on_settings_index_the_lines_of_their_file_once(
    project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project, {".omp/config.yml": "ttsr:\n" + "".join(f"  key{number}: 1\n" for number in range(100))})
    indexed: list[str] = []

    def line_index(text: str) -> LineIndex:
        indexed.append(text)
        return LineIndex(text)

    monkeypatch.setattr(loading_notes, "LineIndex", line_index)
    ran = ttsr_ls(capsys, "list")
    assert ran.err.count("There is no setting `ttsr.key") == 100
    assert "config.yml:101:3 warning unknown-setting" in ran.err
    assert len(indexed) == 1
