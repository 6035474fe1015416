"""The sessions of one event loop share the automaton of equal rules; those of another loop have their own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import pytest

from tests.bridge.host.driving import FINE, OLD, SORRY, Run, run_on
from tests.built_automata import notice_builds
from ttsr_ls.bridge.host.events import RulesTriggered
from ttsr_ls.bridge.host.session_matchers import session_matchers
from ttsr_ls.matching.streams.search_limits import LIVE
from ttsr_ls.rules.condition import compile_condition


def triggered(run: Run) -> Sequence[str]:
    """The names of the rules that fired, in their order."""
    return [event.rules[0] for event in run.notifications if isinstance(event, RulesTriggered)]


async def test_sessions_of_one_event_loop_build_one_automaton(monkeypatch: pytest.MonkeyPatch) -> None:
    builds: list[int] = []
    notice_builds(monkeypatch, builds.append)
    for _ in range(5):
        run = await run_on()
        await run.turn(FINE)
    assert len(builds) == 1


async def test_concurrent_sessions_match_independently() -> None:
    runs = [await run_on() for _ in range(6)]
    answers = [OLD, FINE, SORRY, FINE, OLD, SORRY]
    await asyncio.gather(*(run.turn(parts) for run, parts in zip(runs, answers, strict=True)))
    assert [triggered(run) for run in runs] == [["no-old"], [], ["no-sorry"], [], ["no-old"], ["no-sorry"]]


def test_each_event_loop_builds_its_own_automata(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    builds: list[int] = []
    notice_builds(monkeypatch, builds.append)
    fired: list[Sequence[str]] = []

    async def work() -> None:
        for _ in range(3):
            run = await run_on()
            await run.turn(OLD)
            fired.append(triggered(run))

    threads = [threading.Thread(target=asyncio.run, args=(work(),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert fired == [["no-old"]] * 12
    assert len(builds) == 4


async def test_a_loop_without_weak_references_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncio, "get_running_loop", lambda: ())
    first, second = session_matchers(), session_matchers()
    monkeypatch.undo()
    conditions = (compile_condition("old_module"),)
    assert first.of(conditions, LIVE).build() is not second.of(conditions, LIVE).build()
