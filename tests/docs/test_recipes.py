"""The recipes of the manual do what it says of them, in our engine and in `check`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls, write
from tests.docs.pages import ROOT, titled_block

FIRES = ("cart.py", "src/cart.py", "src/tests.py", "src/my_tests/cart.py", "/home/dev/lib/cart.py")
SILENT = (
    "tests/cart.py",
    "tests/unit/cart.py",
    "src/tests/cart.py",
    "./tests/cart.py",
    "/home/dev/tests/cart.py",
    "src/cart.ts",
)


def _cases(paths: tuple[str, ...]) -> str:
    return "".join(f"  - {{path: {path}, text: print(1)}}\n" for path in paths)


def test_all_files_except_in_a_folder(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = f"defaults: {{tool: edit}}\nvalid:\n{_cases(SILENT)}invalid:\n{_cases(FIRES)}"
    rule = titled_block(ROOT / "docs" / "rules.md", "no-print.md")
    write(project, {".omp/rules/no-print.md": rule, ".omp/rules/no-print.test.yml": cases})
    assert "11 cases of 1 rule: 11 passed." in ttsr_ls(capsys, "test").out
    assert ttsr_ls(capsys, "check").out == "No findings in 2 files.\n"
    # The page says what the bare file name does where the recipe does not cover it.
    write(project, {".omp/rules/no-print.md": rule.replace("!{**/tests/**,*}", "!**/tests/**")})
    assert "11 cases of 1 rule: 6 passed, 5 failed." in ttsr_ls(capsys, "test").out
