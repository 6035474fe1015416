"""Many requests wait for the findings of a document while the user types in it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest

from tests.lsp.talk import PATIENCE
from ttsr_ls.ide.analysis import Analysis
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.server import Server

PATH = "/home/me/shop/.omp/rules/a.md"
URI = f"file://{PATH}"
KEYSTROKES = 20


class HeldServer(Server):
    """Its analyses wait until `release` is set. Counts the looks of requests at the state of the analyses."""

    def __init__(self) -> None:
        super().__init__()
        self.release = threading.Event()
        self.looks = 0
        analyse, run = self.analyses._analyse, self.analyses._run

        def held(document: Document, workspace: Workspace) -> Analysis:
            assert self.release.wait(PATIENCE)
            return analyse(document, workspace)

        def counted(document: Document, workspace: Workspace) -> object:
            self.looks += 1
            return run(document, workspace)

        self.analyses._analyse = held  # type: ignore[method-assign]
        self.analyses._run = counted  # type: ignore[method-assign,assignment]

    def type(self, version: int) -> None:
        """Replaces the text of the document."""
        text = f"---\ncondition: word{version}\n---\nDo not.\n"
        self.current = self.current.with_document(Document.of(URI, PATH, version, text))


@pytest.fixture
def server() -> Iterator[HeldServer]:
    server = HeldServer()
    yield server
    server.release.set()
    server._close()


async def typed(server: HeldServer) -> list[asyncio.Task[Analysis | None]]:
    """The requests, one after each keystroke."""
    requests = []
    for version in range(1, KEYSTROKES + 1):
        server.type(version)
        requests.append(asyncio.create_task(server.analyses.newest(URI)))
        for _ in range(5):
            await asyncio.sleep(0)
    return requests


async def test_a_keystroke_does_not_wake_the_requests_that_wait_for_the_newest_findings(server: HeldServer) -> None:
    requests = await typed(server)
    assert server.looks == KEYSTROKES
    server.release.set()
    found = await asyncio.gather(*requests)
    assert {analysis.document.version for analysis in found if analysis is not None} == {KEYSTROKES}
    assert server.looks == 2 * KEYSTROKES
    assert not server.analyses._ends


async def test_a_cancelled_request_does_not_end_the_waiting_of_the_others(server: HeldServer) -> None:
    first, *others = await typed(server)
    first.cancel()
    server.release.set()
    found = await asyncio.gather(*others)
    assert first.cancelled()
    assert all(analysis is not None for analysis in found)


async def test_requests_for_a_closed_document_end_without_findings(server: HeldServer) -> None:
    requests = await typed(server)
    server.current = server.current.without_document(URI)
    server.analyses.forget(URI)
    assert set(await asyncio.gather(*requests)) == {None}
    assert not server.analyses._ends


async def test_requests_get_the_newest_findings_after_a_change_of_the_disk(server: HeldServer) -> None:
    requests = await typed(server)
    server.current = server.current.with_changed_disk()
    server.release.set()
    found = await asyncio.gather(*requests)
    newest = await server.analyses.newest(URI)
    assert newest is not None
    assert set(map(id, found)) == {id(newest)}
