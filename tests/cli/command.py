"""Runs the command line inside of the test's process."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from ttsr_ls.cli.main import main


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str


def ttsr_ls(capsys: pytest.CaptureFixture[str], *args: str) -> Ran:
    try:
        status = main(args)
    except SystemExit as exit_:
        status = int(exit_.code or 0)
    captured = capsys.readouterr()
    return Ran(int(status), captured.out, captured.err)


def type_in(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Lets `sys.stdin` be these bytes."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))


def write(root: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_bytes(content.encode())


def environment(**changes: str) -> dict[str, str]:
    """The environment of a process, without the variables that colour its output."""
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    root = str(Path(__file__).parents[2])
    return {**kept, "PYTHONPATH": root, **changes}
