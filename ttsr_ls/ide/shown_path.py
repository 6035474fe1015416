"""Displays paths relative to a folder."""

from __future__ import annotations

from pathlib import PurePath


def shown_path(path: str, folder: str) -> str:
    """A path inside of `folder` relative to it, any other as it is."""
    pure = PurePath(path)
    return pure.relative_to(folder).as_posix() if pure.is_relative_to(folder) else path
