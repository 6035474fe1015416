"""The server keeps nothing of a request that it answered: results of commands may be whole transcripts."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path

import pytest

from tests.hostile.server_client import ServerClient

COMMANDS = ("ttsr.runs", "ttsr.clearTriggers", "ttsr.test", "ttsr.unknown")


def tasks() -> int:
    gc.collect()
    return sum(isinstance(each, asyncio.Task) for each in gc.get_objects())


@pytest.fixture(autouse=True)
def _without_earlier_objects() -> None:
    """Keeps the objects of earlier tests, a million of them, out of the passes of the collector and of the count."""
    gc.freeze()


@pytest.mark.parametrize("command", COMMANDS)
async def test_the_result_of_a_command_is_freed(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    client = ServerClient()
    folders = [{"uri": tmp_path.as_uri(), "name": "shop"}]
    started: dict[str, object] = {"processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": folders}
    await client.request("initialize", "initialize", started)
    await client.execute(command, command, {"text": "a"})
    before = tasks()
    for _ in range(5):
        await client.execute(command, command, {"text": "a"})
    await asyncio.sleep(0)
    assert tasks() <= before
    await client.end()
