"""The hook server on its unix socket."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path

import aiohttp
import pytest

from ttsr_ls.bridge.agent_hooks.server import HookServer

KEY = "T0"


async def state_at(socket: Path) -> int:
    async with (
        aiohttp.ClientSession(connector=aiohttp.UnixConnector(str(socket))) as session,
        session.get("http://hooks/", headers={"Authorization": f"Bearer {KEY}"}) as response,
    ):
        return response.status


async def serve_at(socket: Path, shown: list[str], started: asyncio.Event, ended: asyncio.Event) -> None:
    await HookServer(KEY, shown.append).serve(0, started.set, ended, socket)


async def test_only_the_owner_can_connect_to_the_socket_and_the_server_removes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # The path of a socket may have a hundred characters.
    socket, shown = Path("server.sock"), list[str]()
    socket.touch()  # What a killed server left.
    event, ended = asyncio.Event(), asyncio.Event()
    serving = asyncio.create_task(serve_at(socket, shown, event, ended))
    await asyncio.wait_for(event.wait(), 60)
    assert stat.S_ISSOCK(socket.stat().st_mode)
    assert not socket.stat().st_mode & 0o077
    assert await state_at(socket) == 200
    ended.set()
    await asyncio.wait_for(serving, 60)
    assert not socket.exists()
    assert not shown


async def test_with_a_socket_path_that_is_too_long_the_port_is_served(tmp_path: Path) -> None:
    shown: list[str] = []
    event, ended = asyncio.Event(), asyncio.Event()
    ended.set()
    await serve_at(tmp_path / ("x" * 200), shown, event, ended)
    assert event.is_set()
    assert shown[0].startswith("no unix socket at ")
