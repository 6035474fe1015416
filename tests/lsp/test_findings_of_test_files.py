"""Findings of an open test file are of its newest text, and of the newest text of its rule."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from msgspec.structs import replace

from tests.lsp.held_session import HeldSession, task_name
from tests.lsp.talk import make_folder
from ttsr_ls.lsp.analysis.checked_files import analyse_file

RULE = "---\ncondition: 'as any'\nscope: tool:edit(*.ts)\n---\nno\n"
OTHER_RULE = RULE.replace("as any", "as unknown")
CASES = "invalid:\n  - y as unknown\n"


class Session(HeldSession):
    """A session with a client that cannot pull. The first analysis of a test file waits for `release`."""

    def __init__(self) -> None:
        super().__init__()
        self.hold(analyse_file, "run_check")

    def change(self, uri: str, version: int, text: str) -> None:
        """Replaces the text of a file."""
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    async def settle(self, pending: int = 0) -> None:
        """Waits until the server publishes for no more than so many documents, and everything published is here."""
        while sum(task_name(task) == "_publish" for task in self.server._tasks) > pending:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.001)

    def codes(self, uri: str) -> list[str]:
        """The codes of the findings that the server published last for a file."""
        last = next(item for item in reversed(self.published) if item["uri"] == uri)
        return [found["code"] for found in last["diagnostics"]]


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
    await session.is_held.wait()
    session.change(rule, 2, OTHER_RULE)
    await session.settle(1)  # Nothing else is pending, so the first analysis ends last.
    session.release.set()
    await session.settle()
    assert session.codes(cases) == []


async def test_a_pull_is_answered_for_the_newest_text(session: Session, tmp_path: Path) -> None:
    session.server.client = replace(session.server.client, pulls_diagnostics=True)
    cases = session.open(tmp_path.resolve() / "shop" / ".omp" / "rules" / "a.test.yml", CASES)
    answer = asyncio.ensure_future(session.request("textDocument/diagnostic", {"textDocument": {"uri": cases}}))
    await session.is_held.wait()
    session.change(cases, 2, CASES.replace("unknown", "any"))
    session.release.set()
    assert (await answer)["items"] == []


async def test_code_actions_are_for_the_newest_text(session: Session, tmp_path: Path) -> None:
    session.server.client = replace(session.server.client, pulls_diagnostics=True)
    cases = session.open(tmp_path.resolve() / "shop" / ".omp" / "rules" / "a.test.yml", "invalidd:\n  - y as any\n")
    where = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    params = {"textDocument": {"uri": cases}, "range": where, "context": {"diagnostics": []}}
    answer = asyncio.ensure_future(session.request("textDocument/codeAction", params))
    await session.is_held.wait()
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
