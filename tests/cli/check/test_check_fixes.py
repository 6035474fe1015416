"""`check --fix`, `--unsafe-fixes` and `--diff`."""

from __future__ import annotations

import stat
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls, type_in, write

BROKEN = '---\ncondition: "\\d+x"\nscope: prose\n---\nSay so.\n'
SAFE = BROKEN.replace('"\\d+x"', "'\\d+x'")
ALL = SAFE.replace("prose", "text")

Capture = pytest.CaptureFixture[str]


def test_safe_fixes_are_applied_and_other_findings_reported(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": BROKEN, "b.md": ALL})
    ran = ttsr_ls(capsys, "check", "--fix", ".")
    assert (project / "a.md").read_text() == SAFE
    assert ran.status == 1
    assert ran.out.startswith("a.md:3:8 warning bare-word-tool ")
    assert ran.out.endswith("\n1 finding fixed. 1 warning in 1 of 2 files. 1 more can be fixed with --unsafe-fixes.\n")


def test_unsafe_fixes_include_the_safe_ones(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": BROKEN})
    ran = ttsr_ls(capsys, "check", "--unsafe-fixes", "a.md")
    assert (project / "a.md").read_text() == ALL
    assert (ran.status, ran.out) == (0, "2 findings fixed. No findings in 1 file.\n")


def test_a_rejected_fix_is_reported_with_the_reason(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": "---\ncondition: '\\Afoo\\Z'\n---\nSay so.\n"})
    ran = ttsr_ls(capsys, "check", "--unsafe-fixes", "a.md")
    assert (project / "a.md").read_text() == "---\ncondition: '^foo\\Z'\n---\nSay so.\n"
    assert ran.err == (
        "ttsr-ls: a.md:2:17: foreign-regex-syntax is not fixed: the fix (Write it in JavaScript's syntax) would cause "
        "end-sensitive-condition.\n"
    )


def test_safe_fixes_that_narrow_a_rule_together_are_not_both_applied(project: Path, capsys: Capture) -> None:
    # YAML can be read only with the description in quotes, and only then the key `SCOPE` is read.
    narrowed = "---\ndescription: @x\ncondition: foo\nSCOPE:\n  - thinking\n---\nSay so.\n"
    write(project, {"a.md": narrowed})
    ttsr_ls(capsys, "check", "--fix", "a.md")
    assert (project / "a.md").read_text() == narrowed.replace("@x", "'@x'")


def test_fixing_again_changes_nothing(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": BROKEN})
    ttsr_ls(capsys, "check", "--fix", "a.md")
    before = (project / "a.md").stat().st_mtime_ns, (project / "a.md").stat().st_ino
    assert "finding fixed" not in ttsr_ls(capsys, "check", "--fix", "a.md").out
    assert ((project / "a.md").stat().st_mtime_ns, (project / "a.md").stat().st_ino) == before


def test_a_whole_condition_without_quotes_gets_quotes(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": "---\ncondition: /it's \\btodo/i\nscope: text\n---\nUse an issue instead.\n"})
    ttsr_ls(capsys, "check", "--unsafe-fixes", "a.md")
    assert "condition: '(?i)it''s \\btodo'\n" in (project / "a.md").read_text()


def test_mode_line_ends_and_byte_order_mark_stay(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": b"\xef\xbb\xbf" + BROKEN.replace("\n", "\r\n").encode()})
    (project / "a.md").chmod(0o640)
    ttsr_ls(capsys, "check", "--fix", "a.md")
    assert (project / "a.md").read_bytes() == b"\xef\xbb\xbf" + SAFE.replace("\n", "\r\n").encode()
    assert stat.S_IMODE((project / "a.md").stat().st_mode) == 0o640


def test_link_is_not_followed(project: Path, capsys: Capture) -> None:
    write(project, {"../elsewhere.md": BROKEN, "b.md": BROKEN})
    (project / "a.md").symlink_to("../elsewhere.md")
    ran = ttsr_ls(capsys, "check", "--fix", ".")
    assert (project / "../elsewhere.md").read_text() == BROKEN
    assert (project / "b.md").read_text() == SAFE
    assert ran.status == 2
    assert ran.err == "ttsr-ls: a.md is not changed: it is a link; name the file that it leads to\n"
    assert "a.md:2:12 error illegal-escape" in ran.out


def test_a_file_with_invalid_utf8_is_not_rewritten(project: Path, capsys: Capture) -> None:
    data = BROKEN.encode().replace(b"Say so", b"Caf\xe9")
    write(project, {"a.md": data})
    ran = ttsr_ls(capsys, "check", "--fix", "a.md")
    assert (project / "a.md").read_bytes() == data
    assert ran.status == 2
    assert "a.md is not changed: it has bytes that are not UTF-8" in ran.err


def test_a_missing_path_prevents_all_fixes(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": BROKEN})
    assert ttsr_ls(capsys, "check", "--fix", "a.md", "missing.md").status == 2
    assert (project / "a.md").read_text() == BROKEN


@pytest.mark.parametrize("ending", ["", "\n"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_diff_is_a_patch(line_end: str, ending: str, project: Path, capsys: Capture) -> None:
    before = BROKEN.removesuffix("\n").replace("\n", line_end) + ending
    write(project, {"rules/a.md": before, "rules/b.md": ALL})
    ran = ttsr_ls(capsys, "check", "--diff", "rules")
    assert (project / "rules/a.md").read_bytes() == before.encode()
    assert ran.status == 1
    assert ran.out.startswith("--- a/rules/a.md\n+++ b/rules/a.md\n@@ ")
    applied = subprocess.run(["git", "apply", "-"], cwd=project, input=ran.out.encode(), capture_output=True)
    assert applied.stderr == b""
    assert (project / "rules/a.md").read_bytes() == SAFE.removesuffix("\n").replace(
        "\n", line_end
    ).encode() + ending.encode()


def test_a_diff_applies_to_a_file_with_a_byte_order_mark_and_an_absolute_path(project: Path, capsys: Capture) -> None:
    mark = b"\xef\xbb\xbf"
    (project / "a.md").write_bytes(mark + BROKEN.encode())
    patch = ttsr_ls(capsys, "check", "--diff", str(project / "a.md")).out
    subprocess.run(["git", "apply", "-"], input=patch.encode(), cwd=project, check=True)
    assert (project / "a.md").read_bytes() == mark + SAFE.encode()


def test_a_diff_leaves_out_files_to_which_git_applies_none(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": BROKEN})
    (project / "b.md").symlink_to("a.md")
    (project / "c.md").write_bytes(b"\xff\xfe" + BROKEN.encode("utf-16-le"))
    ran = ttsr_ls(capsys, "check", "--diff", "a.md", "b.md", "c.md")
    assert "b.md is not in the diff: it is a link" in ran.err
    assert "c.md is not in the diff: it is UTF-16" in ran.err
    assert ran.status == 2
    subprocess.run(["git", "apply", "-"], input=ran.out.encode(), cwd=project, check=True)
    assert (project / "a.md").read_text() == SAFE


def test_a_diff_has_the_unsafe_fixes_if_they_are_allowed(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": BROKEN})
    out = ttsr_ls(capsys, "check", "--diff", "--unsafe-fixes", "a.md").out
    assert "-scope: prose\n" in out
    assert "+scope: text\n" in out


def test_without_fixes_diff_prints_nothing(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": ALL})
    ran = ttsr_ls(capsys, "check", "--diff", "a.md")
    assert (ran.status, ran.out) == (0, "")
    assert ran.err.startswith("ttsr-ls: no changes: ")


def test_standard_input_can_be_fixed_only_with_diff(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    type_in(monkeypatch, BROKEN.encode())
    assert "standard input cannot be changed" in ttsr_ls(capsys, "check", "--fix", "-").err
    type_in(monkeypatch, BROKEN.encode())
    assert ttsr_ls(capsys, "check", "--diff", "-", "--stdin-name", "x.md").out.startswith("--- a/x.md\n")


def test_diff_cannot_be_combined_with_other_outputs(project: Path, capsys: Capture) -> None:
    write(project, {"a.md": BROKEN})
    ran = ttsr_ls(capsys, "check", "--diff", "--format", "json", "a.md")
    assert (ran.status, ran.out) == (2, "")
    assert "--diff prints nothing but the diff" in ran.err
