"""Examples and the loop that the manual shows pass a strict type checker with the vendors' SDKs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
PAGES = ("docs/embedding.md", "docs/judge.md")


def programs(page: str) -> list[str]:
    return _FENCE.findall((ROOT / page).read_text("utf-8"))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_a_program(page: str) -> None:
    assert programs(page)


def test_examples_and_documented_programs_are_typed(tmp_path: Path) -> None:
    files = [str(path) for path in sorted((ROOT / "examples").glob("*.py"))]
    assert len(files) >= 5
    for page in PAGES:
        for number, program in enumerate(programs(page)):
            shown = tmp_path / f"{Path(page).stem}_{number}.py"
            shown.write_text(program)
            files.append(str(shown))
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", *files]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert (process.returncode, process.stdout + process.stderr) == (0, "")
