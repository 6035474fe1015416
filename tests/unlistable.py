"""Folders that the system refuses to list, also to root."""

from __future__ import annotations

import errno
import os
from typing import Any

import pytest


def refuse_to_list(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Has the system refuse to list folders of this name."""
    listed = os.scandir

    def scandir(path: str) -> Any:
        if os.path.basename(path) == name:  # noqa: PTH119 - the argument is text
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
