"""Paths of triggers and of documents are compared with their links resolved."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ttsr_ls.lsp.runs.resolved_paths import ResolvedPaths


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_link_that_is_created_later_is_resolved(tmp_path: Path) -> None:
    folder = tmp_path.resolve()
    clock = Clock()
    paths = ResolvedPaths(clock)
    assert paths.resolve(str(folder / "link" / "x.ts")) == str(folder / "link" / "x.ts")
    (folder / "link").symlink_to(folder / "real")
    clock.now += 2
    assert paths.resolve(str(folder / "link" / "x.ts")) == str(folder / "real" / "x.ts")


def test_a_path_is_resolved_once_within_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    resolved: list[str] = []
    monkeypatch.setattr(os.path, "realpath", lambda path: resolved.append(path) or path)
    clock = Clock()
    paths = ResolvedPaths(clock)
    for _ in range(3):
        assert paths.resolve("/p/x.ts") == "/p/x.ts"
        clock.now += 0.1
    assert resolved == ["/p/x.ts"]


@pytest.mark.parametrize("path", ["/p/a\0b", "/p/\ud800"])
def test_a_path_that_no_file_can_have_stays_as_it_is(path: str) -> None:
    assert ResolvedPaths().resolve(path) == path
