"""The server is set up so that neither busy threads nor the collector delay its answers."""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Iterator

import pytest

from ttsr_ls.cli.serve import run
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.transport.protocol import Protocol


@pytest.fixture
def interpreter() -> Iterator[None]:
    """Restores what the server changes of its process."""
    interval = sys.getswitchinterval()
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("interpreter")
def test_imported_objects_are_not_collected_and_threads_switch_often(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []
    thresholds = gc.get_threshold()

    def serve(protocol: object, priority: object) -> int:
        assert isinstance(protocol, Protocol)
        server = protocol._server
        assert isinstance(server, Server)
        seen.append(server.analyses.after_first is gc.freeze)
        seen.extend([gc.get_threshold() == thresholds, gc.get_freeze_count() > 50_000, sys.getswitchinterval() < 0.001])
        return 7

    monkeypatch.setattr("ttsr_ls.lsp.main.serve_stdio", serve)
    assert run(argparse.Namespace()) == 7
    assert seen == [True, True, True, True]
