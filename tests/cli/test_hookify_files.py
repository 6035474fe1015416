"""`check .` finds rules of hookify that hookify itself does not find: wrong names, wrong folders, a byte order mark."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls, write

RULE = "---\nname: r\nenabled: true\nevent: bash\npattern: rm -rf\n---\nSay so.\n"

Capture = pytest.CaptureFixture[str]


def findings(capsys: Capture, *args: str) -> set[tuple[str, str]]:
    return {
        (load["path"], load["code"]) for load in json.loads(ttsr_ls(capsys, "check", *args, "--format", "json").out)
    }


@pytest.mark.parametrize(
    "path",
    [
        ".claude/hookify.r.md", ".claude/hookify.local.md", ".claude/Hookify.r.local.md", ".claude/hookify-r.local.md",
        ".claude/r.local.md", ".claude/hookify/r.local.md", ".claude/hookify/r.md", ".claude/rules/hookify.r.local.md",
    ],
)  # fmt: skip
def test_rule_that_hookify_does_not_find_is_reported(project: Path, capsys: Capture, path: str) -> None:
    write(project, {path: RULE})
    assert findings(capsys, ".") == {(path, "not-discovered")}


def test_rule_that_hookify_finds_is_checked_and_other_files_are_not(project: Path, capsys: Capture) -> None:
    plain = "---\nname: r\n---\nNotes on pattern: and conditions.\n"
    write(
        project, {".claude/hookify.r.local.md": RULE, ".claude/commands/hookify.md": plain, "hookify.md": "# Notes\n"}
    )
    assert findings(capsys, ".") == set()


def test_a_hookify_rule_outside_of_any_agents_folder_is_reported_without_an_error(
    project: Path, capsys: Capture
) -> None:
    """Projects keep rules in their own folders, from which they are installed."""
    write(project, {"hookify.r.local.md": RULE, "docs/hookify.r.local.md": RULE, "lib/hookify.r.md": RULE})
    assert findings(capsys, ".") == {("hookify.r.local.md", "not-discovered")}
    assert ttsr_ls(capsys, "check", ".").status == 0


def test_byte_order_mark_is_reported(project: Path, capsys: Capture) -> None:
    path = project / ".claude/hookify.r.local.md"
    path.parent.mkdir()
    path.write_bytes(b"\xef\xbb\xbf" + RULE.encode())
    assert findings(capsys, ".") == {(".claude/hookify.r.local.md", "frontmatter-not-recognised")}


def test_skipped_patterns_are_bounded(project: Path, capsys: Capture) -> None:
    conditions = "".join(
        f"  - field: command\n    operator: regex_match\n    pattern: {'[a-z]' * 200}{number}\n" for number in range(60)
    )
    text = f"---\nname: r\nenabled: true\nevent: bash\nconditions:\n{conditions}---\nSay so.\n"
    write(project, {".claude/hookify.r.local.md": text})
    assert (".claude/hookify.r.local.md", "undecided-backtracking") in findings(capsys, ".")


def test_a_rule_that_only_hookify_runs_is_not_reported_as_broken(project: Path, capsys: Capture) -> None:
    write(project, {".claude/hookify.r.local.md": RULE})
    explanations = ttsr_ls(capsys, "explain", ".claude/hookify.r.local.md").out
    assert "A rule of hookify, which oh-my-pi does not read." in explanations
    assert "Dropped" not in explanations
    query = ttsr_ls(capsys, "why", ".claude/hookify.r.local.md").out
    assert "It is a rule of hookify, which oh-my-pi does not read." in query
    ran = ttsr_ls(capsys, "test", "--rule", ".claude/hookify.r.local.md", "rm -rf")
    assert ran.status == 1
    for text in (explanations, query, ran.err):
        assert "`ttsr-ls convert" in text or "'ttsr-ls convert" in text
