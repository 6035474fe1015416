"""A project with a rule, for tests of hooks in it."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    rules = tmp_path / "shop" / ".omp" / "rules"
    rules.mkdir(parents=True)
    (rules / "no-old.md").write_text("---\ncondition: deprecated_module\n---\nUse new_module.\n")
    return tmp_path / "shop"
