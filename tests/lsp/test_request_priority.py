"""Analyses wait while messages of the client are handled and its requests answered."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from tests.lsp.held_session import HeldSession
from tests.lsp.talk import PATIENCE, make_folder
from tests.lsp.test_staying_responsive import HOSTILE
from ttsr_ls.checkpoint import call_at_checkpoints, checkpoint
from ttsr_ls.esregex.finality.horizon import is_end_sensitive
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import walk
from ttsr_ls.ide.analysis import analyse
from ttsr_ls.ide.documents import Document
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.limits import LINT_LIMITS
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.threads.request_priority import RequestPriority
from ttsr_ls.lsp.transport.protocol import Protocol
from ttsr_ls.lsp.transport.stdio import _serve

PATH = "/home/me/shop/.omp/rules/hostile.md"
MANY_FINDINGS = "---\ncondition: '" + r"\b" * 4_000 + "'\n---\nDo not.\n"


class Clock:
    """Stands still; knows that somebody asked, which an analysis does right before it waits."""

    def __init__(self) -> None:
        self.was_read = threading.Event()
        self.reads = 0

    def __call__(self) -> float:
        self.reads += 1
        self.was_read.set()
        return 1.0


@pytest.fixture
def own_checkpoints() -> Iterator[None]:
    """Later computations of this thread do not wait."""
    yield
    call_at_checkpoints(lambda: None)


async def test_an_analysis_waits_until_a_request_is_answered() -> None:
    server = Server()
    # No analysis goes on before it may, however slow the machine is.
    server.priority._longest_wait = PATIENCE
    server.priority._clock = clock = Clock()
    order: list[str] = []
    ended = threading.Event()

    def analysis() -> Any:
        while not ended.is_set():
            checkpoint()
        order.append("analysis")

    def question() -> None:
        assert clock.was_read.wait(PATIENCE)  # The analysis stands.
        ended.set()
        order.append("answer")

    analysed = server.analyses._queue.submit("rule", analysis)
    await server.off_loop_first(question)
    await analysed
    assert order == ["answer", "analysis"]
    server._close()


@pytest.mark.usefixtures("own_checkpoints")
def test_a_client_that_never_pauses_does_not_stop_an_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    priority = RequestPriority(0.001, Clock())
    monkeypatch.setattr(priority._is_free, "wait", waits.append)
    priority.begin()
    priority.yield_to_requests()
    for _ in range(100):
        checkpoint()
    assert waits == [0.001]


RULE = """---
condition: "[a-Z]"
---
Do not.
"""
POSITION = {"line": 1, "character": 13}
RANGE = {"start": {"line": 0, "character": 0}, "end": {"line": 4, "character": 0}}


@pytest.mark.parametrize(
    ("method", "more"),
    [
        ("textDocument/hover", {"position": POSITION}),
        ("textDocument/completion", {"position": POSITION}),
        ("textDocument/definition", {"position": POSITION}),
        ("textDocument/codeAction", {"range": RANGE, "context": {"diagnostics": []}}),
        ("textDocument/codeAction", {"range": RANGE, "context": {"diagnostics": [], "only": ["source.fixAll"]}}),
        ("ttsr/testText", {"text": "a", "kind": "text"}),
        ("workspace/executeCommand", {"command": "ttsr.test", "arguments": [{"text": "a", "source": "text"}]}),
    ],
)
async def test_analyses_wait_for_each_request_that_the_user_waits_for(
    tmp_path: Path, method: str, more: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = make_folder(tmp_path)
    session = HeldSession()
    await session.start([shop])
    uri = session.open(shop / ".omp" / "rules" / "a.md", RULE)
    await session.settle()
    begun: list[str] = []
    begin = session.server.priority.begin
    monkeypatch.setattr(session.server.priority, "begin", lambda: (begun.append(method), begin()))
    await session.request(method, {"textDocument": {"uri": uri}, **more})
    assert begun
    async with asyncio.timeout(PATIENCE):
        while session.server.priority._pending:
            await asyncio.sleep(0)
    await session.end()


async def test_a_message_has_priority_until_it_is_handled() -> None:
    order: list[str] = []

    class Recorded(RequestPriority):
        def begin(self) -> None:
            order.append("begin")
            super().begin()

        def end(self) -> None:
            order.append("end")
            super().end()

    class Handler:
        exited = was_shut_down = False

        def set_writer(self, writer: object) -> None: ...

        def receive(self, body: bytes) -> None:
            order.append(body.decode())

        def close(self) -> None: ...

    output, given = os.pipe()
    os.write(given, b"Content-Length: 1\r\n\r\na")
    os.close(given)
    try:
        assert await _serve(cast("Protocol", Handler()), output, Recorded()) == 1
    finally:
        os.close(output)
    assert order == ["begin", "a", "end"]


@pytest.mark.usefixtures("own_checkpoints")
def test_a_catastrophic_pattern_has_a_checkpoint_every_few_thousand_steps() -> None:
    passed: list[int] = []
    call_at_checkpoints(lambda: passed.append(1))
    analyse(Document.of(f"file://{PATH}", PATH, 1, HOSTILE), LintContext())
    # Without those inside of a search there are some 200.
    assert len(passed) > 300


@pytest.mark.usefixtures("own_checkpoints")
def test_thousands_of_findings_have_checkpoints_until_they_are_reported() -> None:
    passed: list[int] = []
    call_at_checkpoints(lambda: passed.append(1))
    analysis = analyse(Document.of(f"file://{PATH}", PATH, 1, MANY_FINDINGS), LintContext())
    assert len(analysis.findings) == LINT_LIMITS.findings
    # 500 while the pattern is examined; then one for each 16 of 3,999 findings in each of seven passes.
    assert len(passed) > 500 + 7 * 3_999 // 16


@pytest.mark.usefixtures("own_checkpoints")
@pytest.mark.parametrize(
    ("work", "least"),
    [
        (lambda: parse("(?i:" + "[-é]" * 1_000 + ")"), 25),
        (lambda: is_end_sensitive(parse(r"\b" * 4_000)), 150),
        (lambda: fold_tree(parse(r"\b" * 4_000).root, lambda _node, _values: 0), 60 + 80),
        (lambda: list(walk(parse(r"\b" * 4_000).root)), 60 + 7),
    ],
)
def test_long_patterns_have_checkpoints_while_they_are_read(work: Callable[[], object], least: int) -> None:
    passed: list[int] = []
    call_at_checkpoints(lambda: passed.append(1))
    work()
    assert len(passed) > least
