"""Folders that the system refuses to list or to enter, also to root."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest


def refuse_to_list(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Has the system refuse to list folders of this name."""
    listed = os.scandir

    def scandir(path: str | bytes) -> Any:
        if Path(os.fsdecode(path)).name == name:
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)


def refuse_to_enter(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Has the system refuse everything below a folder, whose own existence it shows."""

    def refuse(name: str) -> None:
        answer = getattr(os, name)

        def guarded(path: Any, *args: Any, **options: Any) -> Any:
            # A number is the descriptor of an open file.
            known = None if isinstance(path, int) else Path(os.fsdecode(path))
            if known is not None and (folder in known.parents or (name == "scandir" and folder == known)):
                raise PermissionError(errno.EACCES, "Permission denied", path)
            return answer(path, *args, **options)

        monkeypatch.setattr(os, name, guarded)

    for name in ("scandir", "stat", "lstat", "open"):
        refuse(name)
