"""The hook server is ended by the process that its state names, if that can be one server."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from ttsr_ls.cli.hooks import starting
from ttsr_ls.errors import UsageError
from ttsr_ls.store.hook_server_file import HookServerAddress

ADDRESS = HookServerAddress(port=9, token="T")  # noqa: S106 - no secret


@pytest.mark.parametrize("state", [{}, {"pid": -1}, {"pid": 0}, {"pid": 1}, {"pid": "12"}, {"pid": True}])
def test_no_group_of_processes_is_ended(monkeypatch: pytest.MonkeyPatch, state: dict[str, Any]) -> None:
    ended: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda *signalled: ended.append(signalled))
    monkeypatch.setattr(starting, "server_state", lambda address: state)
    with pytest.raises(UsageError, match="does not say which process it is"):
        starting.stop(ADDRESS)
    assert ended == []


def test_a_server_that_ends_meanwhile_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    def kill(process: int, number: int) -> None:
        assert (process, number) == (12, signal.SIGTERM)
        raise ProcessLookupError

    monkeypatch.setattr(os, "kill", kill)
    monkeypatch.setattr(starting, "server_state", lambda address: {"pid": 12})
    monkeypatch.setattr(starting, "is_taken", lambda port: False)
    assert starting.stop(ADDRESS)
