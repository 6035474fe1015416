"""Texts that come as a whole and on which no rule fires are left out, which changes nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.histories import SAMPLES
from tests.bridge.watch.watching import NO_ANY, NO_OLD, NO_PUSH, MemoryLog, observer, rules
from ttsr_ls.bridge.adapters.agents import SOURCES
from ttsr_ls.bridge.adapters.detection import detect_source
from ttsr_ls.bridge.watch.agent_monitors import AgentMonitors
from ttsr_ls.bridge.watch.notices import TriggerNotice
from ttsr_ls.bridge.watch.quiet_texts import without_quiet_texts
from ttsr_ls.bridge.watch.session_replay import replay_session
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.rules.stream import BlockEnd, Delta, Source, StreamContext
from ttsr_ls.session.lifecycle.rule_state import RuleRef
from ttsr_ls.session.output.agent_events import AgentDelta, AgentEvent, AnswerStarted, SessionSeen, StreamDamaged

PROSE, THINKING = StreamContext(Source.TEXT), StreamContext(Source.THINKING)
RULES = rules(no_any=NO_ANY, no_old=NO_OLD, no_push=NO_PUSH, quote="---\ncondition: ^[{`]\nscope: tool\n---\nx\n")
STARTED = AnswerStarted("main", "m")


def delta(text: str, context: StreamContext = PROSE, agent: str = "main") -> AgentDelta:
    return AgentDelta(agent, Delta(context, text))


def end(context: StreamContext = PROSE) -> AgentDelta:
    return AgentDelta("main", BlockEnd(context))


@pytest.mark.parametrize(
    ("events", "left"),
    [
        ([STARTED, delta("quiet"), end(), STARTED], [STARTED, STARTED]),
        ([delta("loud"), end()], [delta("loud"), end()]),
        ([delta("quiet"), delta("loud"), end()], [delta("quiet"), delta("loud"), end()]),
        ([delta("quiet"), STARTED, end()], [delta("quiet"), STARTED, end()]),
        ([delta("quiet"), end(THINKING)], [delta("quiet"), end(THINKING)]),
        ([delta("quiet"), delta("quiet", THINKING), end(THINKING)], [delta("quiet")]),
        ([delta("quiet", agent="sub"), end()], [delta("quiet", agent="sub"), end()]),
        ([delta("quiet")], [delta("quiet")]),
        ([end(), delta("quiet"), end()], [end()]),
    ],
)
def test_only_quiet_texts_with_their_end_are_left_out(events: list[AgentEvent], left: list[AgentEvent]) -> None:
    def is_quiet(text: AgentDelta) -> bool:
        assert isinstance(text.event, Delta)
        return text.event.text == "quiet"

    assert list(without_quiet_texts(events, is_quiet)) == left


SAMPLE_FILES = sorted(path for path in SAMPLES.rglob("*") if path.suffix in (".jsonl", ".sse"))


@pytest.mark.parametrize("path", SAMPLE_FILES, ids=lambda path: str(path.relative_to(SAMPLES)))
def test_a_replayed_session_has_the_triggers_that_an_observer_records_of_all_its_events(path: Path) -> None:
    data = path.read_bytes() * 2
    name, _ = detect_source([data])
    if name is None:
        return
    adapter, log = SOURCES[name].make(None), MemoryLog()
    watching = observer(log, RULES)
    events = [*adapter.feed(data), *adapter.finish()]
    for event in events:
        for notice in watching.feed_event(event, 0):
            if isinstance(notice, TriggerNotice):
                watching.mark_injected([RuleRef(notice.event.rule, notice.event.rule_path)])
    expected = [
        (
            trigger.rule,
            trigger.turn,
            trigger.tool or str(trigger.source),
            trigger.target.path if trigger.target else None,
            trigger.excerpt.text[trigger.excerpt.start : trigger.excerpt.end],
        )
        for trigger in log.triggers
    ]
    monitors = AgentMonitors(lambda _: RULES, Settings(), Matching.STABLE)
    replayed = replay_session([data], SOURCES[name].make(None), monitors)
    assert [(each.rule, each.turn, each.stream, each.path, each.excerpt) for each in replayed.triggers] == expected
    assert replayed.skipped == sum(isinstance(event, StreamDamaged) for event in events)
    assert replayed.names == tuple(
        dict.fromkeys(event.session for event in events if isinstance(event, SessionSeen) and event.session)
    )


def test_samples_have_triggers() -> None:
    assert len(SAMPLE_FILES) > 20
    monitors = AgentMonitors(lambda _: RULES, Settings(), Matching.STABLE)
    data = (SAMPLES / "pi" / "session-1.6.jsonl").read_bytes()
    triggers = replay_session([data], SOURCES["pi"].make(None), monitors).triggers
    assert [(each.rule, each.stream) for each in triggers] == [("no-old", "text"), ("quote", "bash")]


@pytest.mark.parametrize("matching", list(Matching))
def test_leaving_out_quiet_texts_changes_no_record(matching: Matching) -> None:
    data = (SAMPLES / "pi" / "session.jsonl").read_bytes()
    events = SOURCES["pi"].make(None).feed(data)
    whole_log, single_log = MemoryLog(), MemoryLog()
    whole = observer(whole_log, RULES, matching).feed(events, 0)
    single = observer(single_log, RULES, matching)
    assert whole == [notice for event in events for notice in single.feed_event(event, 0)]
    assert whole_log.events == single_log.events
