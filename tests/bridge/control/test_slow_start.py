"""The user sees why a run waits: the agent starts, or has not answered a request."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

import pytest

from tests.bridge.control.played_agent import CWD, codex
from ttsr_ls.bridge.control.driver import ToAgent
from ttsr_ls.bridge.control.running import ControlLoop, RunTimeouts
from ttsr_ls.bridge.control.views import AgentAwaited, AgentLimit, CallShown, ProseShown, RunView, StopRequested
from ttsr_ls.cli.run.screen import RunScreen
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect


class SlowAgent:
    """Starts once the user sees that it starts, and ends once the user sees its unanswered first request."""

    stderr_tail = ""

    def __init__(self) -> None:
        self.start_notified = asyncio.Event()
        self.request_notified = asyncio.Event()
        self.views: list[RunView] = []

    def show(self, view: RunView) -> None:
        self.views.append(view)
        if isinstance(view, AgentAwaited):
            (self.request_notified if view.step else self.start_notified).set()

    async def open(self) -> None:
        await self.start_notified.wait()

    async def read(self) -> bytes:
        await self.request_notified.wait()
        return b""

    async def send(self, message: ToAgent) -> None:
        pass

    async def close(self) -> int | None:
        return 0

    def kill(self) -> None:
        raise AssertionError("nobody asked for it")


def test_each_slow_step_is_shown_once() -> None:
    async def run() -> list[RunView]:
        agent = SlowAgent()
        controller = codex().controller
        pace = RunTimeouts(unnoticed=0.01)
        loop = ControlLoop(controller, agent, agent.show, lambda _: [], pace)
        await asyncio.wait_for(loop.run("Write a.py"), 30)
        return agent.views

    awaited = [view for view in asyncio.run(run()) if isinstance(view, AgentAwaited)]
    assert awaited == [AgentAwaited(""), AgentAwaited("initialize")]


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("", "Waiting for opencode: it is starting …"),
        ("models", "Waiting for opencode: it is loading its models …"),
        ("session/\x1bnew", "Waiting for opencode: it has not answered `session/\\x1bnew` …"),
    ],
)
def test_the_screen_names_the_unanswered_step(step: str, expected: str) -> None:
    err = io.StringIO()
    screen = RunScreen(io.StringIO(), err, Path(CWD), 0)
    screen.begin("opencode", RulesByDialect(), None, ())
    screen.show(AgentAwaited(step))
    assert err.getvalue().splitlines()[-1] == expected


def test_output_after_a_stop_is_hidden_and_an_incomplete_call_is_marked() -> None:
    out, err = io.StringIO(), io.StringIO()
    screen = RunScreen(out, err, Path(CWD), 0)
    screen.show(ProseShown(Source.TEXT, "Before. "))
    screen.show(CallShown("Write", "a.py", is_incomplete=True))
    screen.show(AgentLimit("It is confined."))
    screen.show(StopRequested())
    screen.show(ProseShown(Source.TEXT, "After."))
    assert out.getvalue() == "Before. \n"
    assert "* Write a.py (incomplete, not run)\n" in err.getvalue()
    assert "the agent: It is confined.\n" in err.getvalue()
