"""Wherever a process is killed and whenever a disk fails: nothing is injected twice, lost, or marked untold."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path

from driving import FINE, OLD, PUSH, RULES, SORRY, TYPED, Killed, Run, ShakyLog, run_on, session_rules
from hypothesis import given
from hypothesis import strategies as st
from provider_answers import Part
from wire_rules import check_anthropic, check_chat, check_responses

from ttsr_ls.bridge.hooks.contract import Append, Feature, RequestContext, RequestResult
from ttsr_ls.bridge.host.logs import open_log
from ttsr_ls.bridge.host.session import Session
from ttsr_ls.engine.lifecycle.rule_state import RuleFold
from ttsr_ls.engine.projection.anthropic import anthropic_messages
from ttsr_ls.engine.projection.build import conversation
from ttsr_ls.engine.projection.openai_chat import chat_messages
from ttsr_ls.engine.projection.openai_responses import responses_input
from ttsr_ls.engine.settings import ContextMode, Settings
from ttsr_ls.engine.turn import ModelCall, RuleCut
from ttsr_ls.engine.turn_events import (
    MAIN_AGENT,
    Done,
    FeatureRecorded,
    InjectionCommitted,
    InjectionDeferred,
    OutputInterrupted,
    ReminderFolded,
    RuleTriggered,
    StepAppended,
    StepUpdated,
    TurnEvent,
)
from ttsr_ls.engine.turn_fold import TurnFold, fold
from ttsr_ls.store.log_reader import read_log

Turns = tuple[tuple[tuple[Part, ...], ...], ...]

SCRIPT: Turns = (((OLD), FINE), (PUSH, SORRY, FINE), (TYPED, (*TYPED, *PUSH), SORRY, OLD))
PIECES = st.sampled_from([FINE, OLD, SORRY, PUSH, TYPED, (*SORRY, *PUSH), (*TYPED, *OLD), (*PUSH, *SORRY)])
TURNS = st.lists(st.lists(PIECES, max_size=3).map(tuple), min_size=1, max_size=3).map(tuple)
CONTEXTS = st.sampled_from(ContextMode)


class Nagging(Feature):
    """Reminds at every second request, and knows from its own records when it did."""

    name = "nagging"

    def __init__(self) -> None:
        self.requests = 0
        self.nagged = 0

    def evolve(self, event: TurnEvent) -> None:
        if isinstance(event, FeatureRecorded) and event.feature == self.name:
            self.nagged += 1
        elif isinstance(event, StepAppended) and isinstance(event.content, ModelCall):
            self.requests += 1

    async def on_request(self, context: RequestContext) -> RequestResult:
        text = f"nagging {self.nagged + 1}."
        return Append((context.items.reminder(text),), (FeatureRecorded(self.name, text),))


async def play(run: Run, turns: Turns) -> None:
    for answers in turns:
        await run.turn(*answers)
        assert run.sent


async def killed_and_resumed(turns: Turns, mode: ContextMode, dies_at: int, *, written: bool) -> bool:
    """Whether the process was killed before the turns were over. Another plays a harmless turn, or all again."""
    known = Settings(context_mode=mode)
    log = ShakyLog(dies_at=dies_at, written=written)
    try:
        run = await run_on(log, settings=known, features=(Nagging(),))
        await play(run, turns)
    except Killed:
        pass
    else:
        return False
    check(log.events)
    later: tuple[Turns, ...] = (((FINE,),), (*turns, (FINE,)))
    for rest in later:
        second = ShakyLog(log.events)
        run = await run_on(second, settings=known, features=(Nagging(),))
        assert run.state == rules_of(second.events)
        await play(run, rest)
        check_whole(run, second.events)
    return True


def rules_of(events: list[TurnEvent]) -> object:
    state = RuleFold(MAIN_AGENT)
    for event in events:
        state.evolve(event)
    return state.state


def told_rules(events: list[TurnEvent]) -> Counter[str]:
    told = (event for event in events if isinstance(event, InjectionCommitted | ReminderFolded))
    return Counter(rule for event in told for rule in event.rules)


def check(events: list[TurnEvent]) -> None:
    """What holds of the log of a session at any time."""
    told = told_rules(events)
    assert not [rule for rule, times in told.items() if times > 1], "injected twice"
    state = RuleFold(MAIN_AGENT)
    for event in events:
        state.evolve(event)
    assert {mark.rule for mark in state.state.injected} == set(told), "marked, and not told"
    items = conversation(fold(events).turns, MAIN_AGENT)
    check_anthropic(anthropic_messages(items))
    check_chat(chat_messages(items))
    check_responses(responses_input(items))
    notes = [event for event in events if isinstance(event, InjectionCommitted) and "nagging" in event.injection.text]
    said = [note.injection.text.splitlines()[1] for note in notes]  # Between the tags of a feature.
    assert said == [f"nagging {at + 1}." for at in range(len(notes))]
    assert [note.noted[0].content for note in notes] == said


def check_whole(run: Run, events: list[TurnEvent]) -> None:
    """What holds when the last turn was over: nothing that was owed is still owed."""
    check(events)
    told = set(told_rules(events))
    complete = {
        (event.turn, event.step)
        for event in events
        if isinstance(event, StepAppended) and isinstance(event.content, ModelCall) and event.content.complete
    }
    done = {event.call for event in events if isinstance(event, StepUpdated) and isinstance(event.state, Done)}
    for event in events:
        match event:
            case OutputInterrupted(interruption=interruption) if isinstance(interruption.cut, RuleCut):
                assert set(interruption.cut.rules) <= told, "lost"
            case InjectionDeferred() if (event.turn, event.step) in complete:
                assert set(event.rules) <= told, "lost"
            case RuleTriggered(interrupts=False, call=str() as call) if call in done:
                assert event.rule in told, "lost"
            case _:
                pass
    live = run.session._core
    assert live.fold.turns == fold(events).turns
    assert run.state == rules_of(events)
    final = json.dumps(run.session.messages)
    for event in events:
        if isinstance(event, InjectionCommitted):
            assert final.count(json.dumps(event.injection.text)[1:-1]) == 1, "told once, and still"


async def never_killed(turns: Turns, mode: ContextMode) -> None:
    log = ShakyLog()
    run = await run_on(log, settings=Settings(context_mode=mode), features=(Nagging(),))
    await play(run, turns)
    check_whole(run, log.events)


def test_a_session_that_is_never_killed_tells_each_rule_once() -> None:
    asyncio.run(never_killed(SCRIPT, ContextMode.DISCARD))
    asyncio.run(never_killed(SCRIPT, ContextMode.KEEP))


def test_a_process_may_be_killed_at_every_append() -> None:
    for mode in ContextMode:
        for written in (False, True):
            appends = 0
            while asyncio.run(killed_and_resumed(SCRIPT, mode, appends + 1, written=written)):
                appends += 1
            assert appends > 40


@given(TURNS, CONTEXTS, st.integers(1, 60), st.booleans())
def test_any_session_may_be_killed_anywhere(turns: Turns, mode: ContextMode, at: int, written: bool) -> None:
    asyncio.run(killed_and_resumed(turns, mode, at, written=written))


async def with_failing_disk(turns: Turns, mode: ContextMode, fails: frozenset[int]) -> int:
    log = ShakyLog(fails=fails)
    run = await run_on(log, settings=Settings(context_mode=mode), features=(Nagging(),))
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
        run = await run_on(second, settings=Settings(context_mode=mode), features=(Nagging(),))
        await run.turn(FINE)
        check_whole(run, second.events)
    return log.asked


def test_the_disk_may_fail_at_every_append() -> None:
    for mode in ContextMode:
        at, asked = 1, 2
        while at <= asked:
            asked = asyncio.run(with_failing_disk(SCRIPT, mode, frozenset({at})))
            at += 1
        assert at > 40


@given(TURNS, CONTEXTS, st.frozensets(st.integers(1, 80)))
def test_the_disk_may_fail_at_any_appends(turns: Turns, mode: ContextMode, fails: frozenset[int]) -> None:
    asyncio.run(with_failing_disk(turns, mode, fails))


async def with_broken_sync(mode: ContextMode, breaks_at: int) -> int:
    """After a failed sync nobody can tell what is on disk, and the log takes nothing more."""
    log = ShakyLog(breaks_at=breaks_at)
    run = await run_on(log, settings=Settings(context_mode=mode), features=(Nagging(),))
    await play(run, SCRIPT)
    check(log.events)
    again = await run_on(ShakyLog(log.events), settings=Settings(context_mode=mode), features=(Nagging(),))
    await again.turn(FINE)
    check_whole(again, again.log.events)
    return log.asked


def test_the_sync_may_fail_at_every_append() -> None:
    for mode in ContextMode:
        at = 1
        while asyncio.run(with_broken_sync(mode, at)) >= at:
            at += 1
        assert at > 40


def test_a_file_cut_off_anywhere_is_taken_up(tmp_path: Path) -> None:
    async def whole(path: Path) -> None:
        opened = open_log(path, tmp_path, 0)
        session = await Session.open(rules=session_rules(RULES), log=opened, features=(Nagging(),))
        run = Run(session, ShakyLog())
        await play(run, SCRIPT)
        await session.close()

    async def taken_up(path: Path) -> None:
        opened = open_log(path, tmp_path, 0)
        session = await Session.open(rules=session_rules(RULES), log=opened, features=(Nagging(),))
        run = Run(session, ShakyLog())
        await run.turn(FINE)
        await session.close()
        events = [record.event for record in read_log(path).records]
        check_whole(run, events)

    asyncio.run(whole(tmp_path / "whole.jsonl"))
    data = (tmp_path / "whole.jsonl").read_bytes()
    lines = data.splitlines(keepends=True)
    ends = [sum(len(line) for line in lines[:count]) for count in range(1, len(lines) + 1)]
    assert len(ends) > 40
    for number, end in enumerate(ends):
        for cut in (end, end - 7):
            path = tmp_path / f"{number}-{end - cut}.jsonl"
            path.write_bytes(data[:cut] if number or cut == end else lines[0])
            asyncio.run(taken_up(path))


def test_a_disk_that_fails_for_ever_leaves_an_agent_that_goes_on_and_tells_it_once() -> None:
    async def scenario() -> None:
        log = ShakyLog(fails=range(3, 10_000))
        run = await run_on(log)
        await play(run, SCRIPT)
        assert run.kinds().count("LogFailed") == 1
        assert not {"Interrupted", "Injected", "Reminded"} & set(run.kinds())
        assert len(run.session.turns) == len(SCRIPT)
        assert run.session._core.recorder.backlog

    asyncio.run(scenario())
