"""A session that is resumed after its project was moved, so that the paths on record are those of another folder."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from tests.bridge.host.driving import FINE, OLD, SORRY, ShakyLog, run_on
from tests.bridge.host.test_older_dialects import two_rules_of_one_name
from tests.bridge.wire.provider_answers import Part
from ttsr_ls.session.history.turn_events import (
    InjectionCommitted,
    ModelCall,
    OutputInterrupted,
    RuleTriggered,
    StepAppended,
    Text,
    TurnEvent,
)


def with_path(events: list[TurnEvent], path: str) -> list[TurnEvent]:
    """The events of a session whose rule was in that file."""
    return [replace(event, rule_path=path) if isinstance(event, RuleTriggered) else event for event in events]


PATHS = [
    ("/w/rules/{}.md", True),
    ("/home/dev/shop/rules/{}.md", True),
    ("/rules/{}.md", True),
    ("/home/dev/shop/old/{}.md", False),
    ("/home/dev/shop/rules/other.md", False),
    ("", False),
]
"""A path on record, and whether it is that of `/w/rules/{}.md` in a project that was moved to `/w`."""


@pytest.mark.parametrize(("path", "is_sent"), PATHS)
@pytest.mark.parametrize(("rule", "answer"), [("no-old", OLD), ("no-sorry", SORRY)])
async def test_a_pending_injection_is_sent_after_the_project_was_moved(
    rule: str, answer: tuple[Part, ...], path: str, is_sent: bool
) -> None:
    run = await run_on()
    await run.turn(answer, FINE)
    ends = [
        number
        for number, event in enumerate(run.log.events, start=1)
        if isinstance(event, OutputInterrupted)
        or (isinstance(event, StepAppended) and isinstance(event.content, ModelCall) and event.content.complete)
    ]
    crashed = with_path(run.log.events[: ends[0]], path.format(rule))
    assert not any(isinstance(event, InjectionCommitted) for event in crashed)
    resumed = await run_on(ShakyLog(crashed))
    await resumed.turn(FINE)
    assert (f"Body of {rule}." in json.dumps(resumed.sent[0])) is is_sent
    assert resumed.session.injected_rules == ((rule,) if is_sent else ())


async def test_an_injection_of_pi_ttsr_does_not_silence_a_rule_of_its_name_after_the_project_was_moved() -> None:
    """Rules of two dialects may have one name: the path on record says which of them was injected."""
    run = await run_on(rules=two_rules_of_one_name())
    await run.turn((Text("I import old_module here."),), FINE)
    events = with_path(run.log.events, "/home/dev/.pi/rules/same.md")
    assert events != run.log.events
    resumed = await run_on(ShakyLog(events), rules=two_rules_of_one_name())
    await resumed.turn((Text("I import new_module here."),), FINE)
    assert json.dumps(resumed.session.messages).count("Body of omp.") == 1
