"""Findings of an open test file are of its newest text, and of the newest text of its rule."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest_asyncio
from msgspec.structs import replace

from tests.lsp.conformance.server_session import ServerSession
from tests.lsp.talk import make_folder
from ttsr_ls.lsp.analysis.checked_files import analyse_file

RULE = "---\ncondition: 'as any'\nscope: tool:edit(*.ts)\n---\nno\n"
OTHER_RULE = RULE.replace("as any", "as unknown")
CASES = "invalid:\n  - y as unknown\n"


class Session(ServerSession):
    """A session with a client that cannot pull. The first analysis of a test file waits for `release`."""

    def __init__(self) -> None:
        super().__init__("utf-16")
        self.published: list[dict[str, Any]] = []
        self.is_analysed = asyncio.Event()
        self.release = asyncio.Event()
        run_check = self.server.run_check

        async def run(function: Any, *arguments: object) -> Any:
            result = await run_check(function, *arguments)
            if function is analyse_file and not self.is_analysed.is_set():
                self.is_analysed.set()
                await self.release.wait()
            return result

        self.server.run_check = run  # type: ignore[method-assign]

    def _receive(self, message: dict[str, Any]) -> None:
        if message.get("method") == "textDocument/publishDiagnostics":
            self.published.append(message["params"])
        super()._receive(message)

    def open(self, path: Path, text: str) -> str:
        """Opens a file; returns its URI."""
        item = {"uri": path.as_uri(), "languageId": "markdown", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return path.as_uri()

    def change(self, uri: str, version: int, text: str) -> None:
        """Replaces the text of a file."""
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    async def settle(self, pending: int = 0) -> None:
        """Waits until the server publishes for no more than so many documents, and everything published is here."""
        while sum(_name(task) == "_publish" for task in self.server._tasks) > pending:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.001)

    def codes(self, uri: str) -> list[str]:
        """The codes of the findings that the server published last for a file."""
        last = next(item for item in reversed(self.published) if item["uri"] == uri)
        return [found["code"] for found in last["diagnostics"]]


def _name(task: asyncio.Task[Any]) -> str:
    coroutine: Any = task.get_coro()
    return str(coroutine.__name__)


@pytest_asyncio.fixture
async def session(tmp_path: Path) -> AsyncIterator[Session]:
    folder = make_folder(tmp_path)
    (folder / ".omp" / "rules" / "a.md").write_text(RULE)
    (folder / ".omp" / "rules" / "a.test.yml").write_text(CASES)
    session = Session()
    await session.start([folder])
    session.server.client = replace(session.server.client, pulls_diagnostics=False)
    yield session
    await session.end()
    assert not session.checker.problems


async def test_findings_for_an_older_rule_are_not_pushed_last(session: Session, tmp_path: Path) -> None:
    rules = tmp_path.resolve() / "shop" / ".omp" / "rules"
    rule = session.open(rules / "a.md", RULE)
    cases = session.open(rules / "a.test.yml", CASES)
    await session.is_analysed.wait()
    session.change(rule, 2, OTHER_RULE)
    await session.settle(1)  # Nothing else is pending, so the first analysis ends last.
    session.release.set()
    await session.settle()
    assert session.codes(cases) == []


async def test_a_pull_is_answered_for_the_newest_text(session: Session, tmp_path: Path) -> None:
    session.server.client = replace(session.server.client, pulls_diagnostics=True)
    cases = session.open(tmp_path.resolve() / "shop" / ".omp" / "rules" / "a.test.yml", CASES)
    answer = asyncio.ensure_future(session.request("textDocument/diagnostic", {"textDocument": {"uri": cases}}))
    await session.is_analysed.wait()
    session.change(cases, 2, CASES.replace("unknown", "any"))
    session.release.set()
    assert (await answer)["items"] == []


async def test_code_actions_are_for_the_newest_text(session: Session, tmp_path: Path) -> None:
    session.server.client = replace(session.server.client, pulls_diagnostics=True)
    cases = session.open(tmp_path.resolve() / "shop" / ".omp" / "rules" / "a.test.yml", "invalidd:\n  - y as any\n")
    where = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    params = {"textDocument": {"uri": cases}, "range": where, "context": {"diagnostics": []}}
    answer = asyncio.ensure_future(session.request("textDocument/codeAction", params))
    await session.is_analysed.wait()
    session.change(cases, 2, "# first\ninvalidd:\n  - y as any\n")
    session.release.set()
    assert [action for action in await answer if "edit" in action] == []


async def test_findings_follow_a_rule_that_is_opened_and_closed(session: Session, tmp_path: Path) -> None:
    session.release.set()
    rules = tmp_path.resolve() / "shop" / ".omp" / "rules"
    cases = session.open(rules / "a.test.yml", CASES)
    await session.settle()
    assert session.codes(cases) == ["failing-rule-test"]
    # What was not saved counts while it is open.
    rule = session.open(rules / "a.md", OTHER_RULE)
    await session.settle()
    assert session.codes(cases) == []
    session.notify("textDocument/didClose", {"textDocument": {"uri": rule}})
    await session.settle()
    assert session.codes(cases) == ["failing-rule-test"]
