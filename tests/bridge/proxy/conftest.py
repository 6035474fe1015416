"""The folder that agents run in. Tests of the shared state run where the environment names a Redis server."""

import os
from pathlib import Path

import pytest

from tests.bridge.proxy.proxied import NO_OLD

collect_ignore = [] if os.environ.get("TTSR_REDIS") else ["test_shared_state.py"]


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with one rule, whose parent is the user's home."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    shop = tmp_path / "shop"
    (shop / ".omp" / "rules").mkdir(parents=True)
    (shop / ".git").mkdir()
    (shop / ".omp" / "rules" / "no-old.md").write_text(NO_OLD)
    return shop
