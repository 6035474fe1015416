"""After a kill or a disk failure at any point, no injection is repeated, lost, or marked without having been sent."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bridge.host.driving import FINE, OLD, PUSH, SORRY, TYPED, Killed, ShakyLog, run_on
from tests.bridge.host.session_checks import SCRIPT, Guarding, Nagging, Turns, check, check_whole, play, rules_of
from ttsr_ls.rules.settings.settings import ContextMode, Settings
from ttsr_ls.session.history.turn_fold import TurnFold
from ttsr_ls.session.hooks.contract import Feature

PIECES = st.sampled_from([FINE, OLD, SORRY, PUSH, TYPED, (*SORRY, *PUSH), (*TYPED, *OLD), (*PUSH, *SORRY)])
TURNS = st.lists(st.lists(PIECES, max_size=3).map(tuple), min_size=1, max_size=3).map(tuple)
CONTEXTS = st.sampled_from(ContextMode)
pytestmark = pytest.mark.usefixtures("shared_automata")


def features() -> tuple[Feature, ...]:
    return Nagging(), Guarding()


async def killed_and_resumed(
    turns: Turns, mode: ContextMode, dies_at: int, *, written: bool, resumed: set[bytes] | None = None
) -> bool:
    """Returns whether the process was killed before the turns were over. Another plays a harmless turn, or all
    again, unless `resumed` has the same log."""
    known = Settings(context_mode=mode)
    log = ShakyLog(dies_at=dies_at, written=written)
    try:
        run = await run_on(log, settings=known, features=features())
        await play(run, turns)
    except Killed:
        pass
    else:
        return False
    check(log.events)
    if resumed is not None:
        content = msgspec.json.encode(log.events)
        if content in resumed:
            return True
        resumed.add(content)
    later: tuple[Turns, ...] = (((FINE,),), (*turns, (FINE,)))
    for rest in later:
        second = ShakyLog(log.events)
        run = await run_on(second, settings=known, features=features())
        assert run.state == rules_of(second.events)
        await play(run, rest)
        check_whole(run, second.events)
    return True


async def never_killed(turns: Turns, mode: ContextMode) -> None:
    log = ShakyLog()
    run = await run_on(log, settings=Settings(context_mode=mode), features=features())
    await play(run, turns)
    check_whole(run, log.events)


def test_a_session_that_is_never_killed_injects_each_rule_once() -> None:
    asyncio.run(never_killed(SCRIPT, ContextMode.DISCARD))
    asyncio.run(never_killed(SCRIPT, ContextMode.KEEP))


def test_no_injection_is_lost_or_repeated_if_the_process_is_killed_at_any_append() -> None:
    async def scenario(mode: ContextMode) -> None:
        # A kill after append N leaves the same log as a kill before append N + 1.
        resumed: set[bytes] = set()
        for written in (False, True):
            appends = 0
            while await killed_and_resumed(SCRIPT, mode, appends + 1, written=written, resumed=resumed):
                appends += 1
            assert appends > 40
        assert 0 <= len(resumed) - appends <= 1

    for mode in ContextMode:
        asyncio.run(scenario(mode))


@given(TURNS, CONTEXTS, st.integers(1, 60), st.booleans())
def test_no_injection_is_lost_or_repeated_if_any_session_is_killed_anywhere(
    turns: Turns, mode: ContextMode, at: int, written: bool
) -> None:
    asyncio.run(killed_and_resumed(turns, mode, at, written=written))


async def with_failing_disk(turns: Turns, mode: ContextMode, fails: frozenset[int]) -> int:
    log = ShakyLog(fails=fails)
    run = await run_on(log, settings=Settings(context_mode=mode), features=features())
    for answers in turns:
        await run.turn(*answers)
        live = run.session._core
        expected = TurnFold()
        for event in (*log.events, *live.recorder.backlog):
            expected.evolve(event)
        assert live.fold.turns == expected.turns, "live is what the log has, and what it is still to have"
        check(log.events)
    assert len(run.sent) >= len(turns), "the agent goes on"
    if not live.recorder.backlog:
        second = ShakyLog(log.events)
        run = await run_on(second, settings=Settings(context_mode=mode), features=features())
        await run.turn(FINE)
        check_whole(run, second.events)
    return log.asked


def test_no_injection_is_lost_or_repeated_if_the_disk_fails_at_an_append() -> None:
    async def scenario(mode: ContextMode) -> None:
        position, asked = 1, 2
        while position <= asked:
            asked = await with_failing_disk(SCRIPT, mode, frozenset({position}))
            position += 1
        assert position > 40

    for mode in ContextMode:
        asyncio.run(scenario(mode))


@given(TURNS, CONTEXTS, st.frozensets(st.integers(1, 80)))
def test_no_injection_is_lost_or_repeated_if_the_disk_fails_at_several_appends(
    turns: Turns, mode: ContextMode, fails: frozenset[int]
) -> None:
    asyncio.run(with_failing_disk(turns, mode, fails))


async def with_broken_sync(mode: ContextMode, breaks_at: int) -> int:
    """After a failed sync the content of the disk is unknown, so the log accepts no more events."""
    log = ShakyLog(breaks_at=breaks_at)
    run = await run_on(log, settings=Settings(context_mode=mode), features=features())
    await play(run, SCRIPT)
    check(log.events)
    again = await run_on(ShakyLog(log.events), settings=Settings(context_mode=mode), features=features())
    await again.turn(FINE)
    check_whole(again, again.log.events)
    return log.asked


def test_no_injection_is_lost_or_repeated_if_a_sync_fails() -> None:
    async def scenario(mode: ContextMode) -> None:
        position = 1
        while await with_broken_sync(mode, position) >= position:
            position += 1
        assert position > 40

    for mode in ContextMode:
        asyncio.run(scenario(mode))


def test_the_agent_continues_on_a_failed_disk_which_is_reported_once() -> None:
    async def scenario() -> None:
        log = ShakyLog(fails=range(3, 10_000))
        run = await run_on(log)
        await play(run, SCRIPT)
        assert run.kinds().count("LogFailed") == 1
        assert not {"AnswerInterrupted", "TextInjected", "ReminderInjected"} & set(run.kinds())
        assert len(run.session.turns) == len(SCRIPT)
        assert run.session._core.recorder.backlog

    asyncio.run(scenario())
