"""A change of a document ends the analysis of its older text, whose findings nobody will see."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from msgspec.structs import replace

from tests.lsp.held_session import HeldSession
from tests.lsp.talk import PATIENCE, make_folder
from ttsr_ls.checkpoint import ComputationAbandoned, checkpoint
from ttsr_ls.ide.analysis import Analysis
from ttsr_ls.ide.documents import Document
from ttsr_ls.ide.workspace import Workspace

COSTLY = "---\ncondition: costly\n---\nDo not.\n"
NEW = "---\ncondition: '(a+)+$'\n---\nDo not.\n"


class EndlessSession(HeldSession):
    """A session in which the analysis of `COSTLY` ends only by being abandoned, which the test can hold."""

    def __init__(self) -> None:
        super().__init__()
        self.started = threading.Event()
        self.abandoned = threading.Event()
        analyse = self.server.analyses._analyse

        def endless(document: Document, workspace: Workspace) -> Analysis:
            try:
                while document.text == COSTLY:
                    self.started.set()
                    checkpoint()
            except ComputationAbandoned:
                self.abandoned.set()
                raise
            return analyse(document, workspace)

        self.server.analyses._analyse = endless  # type: ignore[method-assign]

    def change(self, uri: str, version: int, text: str) -> None:
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    async def until(self, event: threading.Event) -> None:
        assert await asyncio.to_thread(event.wait, PATIENCE)


@pytest_asyncio.fixture
async def session(tmp_path: Path) -> AsyncIterator[EndlessSession]:
    session = EndlessSession()
    await session.start([make_folder(tmp_path)])
    await session.settle()
    yield session
    await session.end()


@pytest.fixture
def rule(tmp_path: Path) -> Path:
    return tmp_path / "shop" / ".omp" / "rules" / "a.md"


def pulled(session: EndlessSession, uri: str) -> asyncio.Task[Any]:
    return asyncio.create_task(session.request("textDocument/diagnostic", {"textDocument": {"uri": uri}}))


async def test_a_pull_that_waits_for_an_abandoned_analysis_gets_the_newest_findings(
    session: EndlessSession, rule: Path
) -> None:
    uri = session.open(rule, COSTLY)
    request = pulled(session, uri)
    await session.until(session.started)
    session.change(uri, 2, NEW)
    async with asyncio.timeout(PATIENCE):
        report = await request
    assert session.abandoned.is_set()
    assert {item["code"] for item in report["items"]} >= {"exponential-backtracking"}


async def test_a_client_without_pulls_gets_the_newest_findings_only(session: EndlessSession, rule: Path) -> None:
    session.server.client = replace(session.server.client, pulls_diagnostics=False)
    uri = session.open(rule, COSTLY)
    await session.until(session.started)
    session.change(uri, 2, NEW)
    async with asyncio.timeout(PATIENCE):
        await session.settle()
    assert session.abandoned.is_set()
    assert [params["version"] for params in session.published] == [2]
    assert {item["code"] for item in session.published[0]["diagnostics"]} >= {"exponential-backtracking"}


async def test_a_change_back_to_the_abandoned_text_analyses_it_again(session: EndlessSession, rule: Path) -> None:
    uri = session.open(rule, COSTLY)
    request = pulled(session, uri)
    await session.until(session.started)
    session.change(uri, 2, NEW)
    await session.until(session.abandoned)
    session.started.clear()
    session.change(uri, 3, COSTLY)
    await session.until(session.started)
    session.change(uri, 4, NEW)
    async with asyncio.timeout(PATIENCE):
        assert (await request)["items"]


async def test_closing_a_document_ends_its_analysis(session: EndlessSession, rule: Path) -> None:
    uri = session.open(rule, COSTLY)
    request = pulled(session, uri)
    await session.until(session.started)
    session.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    await session.until(session.abandoned)
    assert (await request)["items"] == []


async def test_a_document_that_is_no_rule_any_more_ends_its_analysis(session: EndlessSession, tmp_path: Path) -> None:
    uri = session.open(tmp_path / "shop" / "a.md", COSTLY)
    assert session.server.current.rule_document(uri) is not None
    request = pulled(session, uri)
    await session.until(session.started)
    session.change(uri, 2, "Nothing.\n")
    assert session.server.current.rule_document(uri) is None
    await session.until(session.abandoned)
    assert (await request)["items"] == []


async def test_the_end_of_the_session_ends_an_analysis(session: EndlessSession, rule: Path) -> None:
    uri = session.open(rule, COSTLY)
    request = pulled(session, uri)
    await session.until(session.started)
    session.server.analyses.close()
    await session.until(session.abandoned)
    assert not request.done()
    request.cancel()
