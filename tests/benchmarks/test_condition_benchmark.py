"""The benchmark of one condition."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks import condition
from benchmarks.machine import Machine


@pytest.mark.parametrize(("pattern", "is_disabled"), [(r"(.+)(.+)(.+)(.+)X\4\3\2\1c", True), ("never", False)])
def test_it_prints_whether_the_condition_was_disabled(
    pattern: str,
    is_disabled: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    distinct = "".join(map(chr, range(0x100, 0x150)))
    text = tmp_path / "t.txt"
    text.write_text(f"{distinct}X{distinct}c " * 30, encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["condition", pattern, str(text)])
    # Only the figures, which are not tested, need to know the full speed of the machine.
    condition.main(Machine(looks=100))
    assert capsys.readouterr().out.endswith("  0 triggers, disabled\n" if is_disabled else "  0 triggers\n")
