"""`scan` leaves out what git ignores, and names ignore files whose patterns are not all read."""

from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls, write
from ttsr_ls.store.gitignore.ignore_file import MAX_PATTERNS

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("argument", ["src", "src/*.py", "."])
def test_an_incomplete_ignore_file_is_named_once(project: Path, capsys: Capture, argument: str) -> None:
    patterns = "".join(f"/generated{number}.py\n" for number in range(MAX_PATTERNS + 1))
    write(project, {"no-old.md": "---\ncondition: old\n---\nNo.\n", "src/.gitignore": patterns})
    write(project, {f"src/generated{number}.py": "old\n" for number in (0, MAX_PATTERNS)})
    ran = ttsr_ls(capsys, "scan", "-r", "no-old.md", argument, "src")
    assert f"src/generated{MAX_PATTERNS}.py" in ran.out
    assert "src/generated0.py" not in ran.out
    assert ran.err == (
        f"ttsr-ls: cannot read all patterns of {project}/src/.gitignore: it has more than {MAX_PATTERNS:,}, "
        "so files that it excludes may be scanned\n"
    )
    assert ttsr_ls(capsys, "scan", "-r", "no-old.md", argument, "--no-gitignore").err == ""
