"""Servers to talk to, each a real process, with the capabilities of real editors (recorded)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.lsp.talk import Starter, Talk, make_folder, serving


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace folder with a folder for rules."""
    return make_folder(tmp_path)


@pytest_asyncio.fixture
async def start(folder: Path) -> AsyncIterator[Starter]:
    """Starts a server for a client with certain capabilities; all are shut down at the end."""
    async with serving(folder) as starter:
        yield starter


@pytest_asyncio.fixture
async def vscode(start: Starter) -> Talk:
    """A server that VS Code talks to: pull, UTF-16."""
    return await start("vscode")


@pytest_asyncio.fixture
async def pushed(start: Starter) -> Talk:
    """A server whose client cannot pull diagnostics."""
    return await start("pushed")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Talk]:
    """A server that VS Code talks to, for all tests of a module; each uses a document of its own."""
    async with serving(make_folder(tmp_path_factory.mktemp("shared"))) as starter:
        yield await starter("vscode")


@pytest.fixture
def talk(shared: Talk) -> Iterator[Talk]:
    """The shared server, on a workspace whose files are those of one test."""
    before = set(shared.folder.rglob("*"))
    yield shared
    for path in sorted(set(shared.folder.rglob("*")) - before, reverse=True):
        if path.is_dir():
            path.rmdir()
        else:
            path.unlink()
