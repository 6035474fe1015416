"""Before the first delta of an answer, the automaton of the rules is built, which can take half a second."""

from __future__ import annotations

from pathlib import PurePath

import pytest

from tests.bridge.host.driving import FINE, run_on
from tests.bridge.watch.test_noise import NO_NEW
from tests.bridge.watch.watching import NO_OLD, MemoryLog, rules
from tests.built_automata import notice_builds
from ttsr_ls.bridge.adapters.turn_tracker import PartsTracker
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.rules.stream import Source, StreamEvent, Trigger


@pytest.fixture
def order(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The order in which automata were built and events of an answer came."""
    happened: list[str] = []
    feed = Monitor.feed

    def fed(monitor: Monitor, event: StreamEvent, now: float = 0.0) -> tuple[Trigger, ...]:
        happened.append("event")
        return feed(monitor, event, now)

    notice_builds(monkeypatch, lambda _: happened.append("built"))
    monkeypatch.setattr(Monitor, "feed", fed)
    return happened


async def test_a_session_builds_the_automaton_before_the_first_request(order: list[str]) -> None:
    run = await run_on()
    await run.turn(FINE)
    assert "event" in order
    assert order.index("built") < order.index("event")
    assert order.count("built") == 1


def test_an_observer_builds_the_automaton_when_an_answer_starts_also_after_a_reload(order: list[str]) -> None:
    turns = PartsTracker(PurePath("/p"))
    watching = Observer(lambda _: rules(no_old=NO_OLD), MemoryLog(), settings=Settings(), matching=Matching.STABLE)
    for replaced in (False, True):
        if replaced:
            watching.replace_rules(lambda _: rules(no_new=NO_NEW), Settings(), 2)
        begun, answer = turns.ensure_answer()
        watching.feed(begun, 1)
        assert order == ["built"]
        # A text on which a rule fires: without one, a whole text is passed over.
        watching.feed(answer.add_complete_prose(Source.TEXT, "deprecated_module and new_module"), 1)
        watching.feed(turns.end_answer(), 1)
        assert set(order[1:]) == {"event"}
        order.clear()
