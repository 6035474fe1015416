"""The places that `scan` reports for matches that begin with a line end."""

from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls, write

Capture = pytest.CaptureFixture[str]

LINE_STARTS = "---\ncondition: ['(?:^|\\n)// x', '\\s// y']\n---\nx\n"
COMMENTED = "let a = 1\n\n  // y\n// x\nlet b = 2\n"


def test_a_match_that_begins_with_a_line_end_is_on_its_first_visible_line(project: Path, capsys: Capture) -> None:
    write(project, {"comments.md": LINE_STARTS, "src/d.ts": COMMENTED})
    ran = ttsr_ls(capsys, "scan", "-r", "comments.md", "src/d.ts")
    assert ran.out.splitlines()[1:3] == ["  3:2-7  comments  // y", "  4:1-5  comments  // x"]


def test_a_comment_on_the_visible_line_silences_a_match_that_begins_with_a_line_end(
    project: Path, capsys: Capture
) -> None:
    silenced = COMMENTED.replace("// x", "// x // ttsr-ls: ignore[comments]")
    write(project, {"comments.md": LINE_STARTS, "src/d.ts": silenced})
    ran = ttsr_ls(capsys, "scan", "-r", "comments.md", "src/d.ts")
    assert ran.out.splitlines()[1:3] == ["  3:2-7  comments  // y", ""]
    assert "1 silenced by comments" in ran.out
