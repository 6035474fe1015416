"""Which matches cut an answer off, against what was recorded of the reference agent (`record_interrupts.py`).

For each answer: which rules match, and whether one of them interrupts, by the monitor alone.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.recorders.scripted_answers import Block
from tests.session.lifecycle.interrupt_vectors import NEW, RECORDED, UNCHECKED, has_question, settings_of
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.rules.registration import register
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import BlockEnd, Delta, Snapshot, Source, StreamContext, Trigger
from ttsr_ls.syntax.reader import read_rule

WRITTEN = {"write": "content", "edit": "new_string"}
"""The arguments that calls are matched by where they write files."""
MIXED = re.compile("never in |prose-only in |tool-only in |always in the second")
"""Sessions whose answers go on after a match; what is told of those when is the lifecycle's."""


def monitor_of(recorded: dict[str, Any]) -> Monitor:
    settings = settings_of(recorded)
    files = [read_rule(text, name=name, path=f"/w/{name}.md") for name, text in recorded["rules"].items()]
    return Monitor(RuleSet.build([register(file, "native") for file in files], settings), settings, Matching.REFERENCE)


def triggers_of(monitor: Monitor, block: Block) -> list[Trigger]:
    """What a block triggers up to the first piece with an interruption. A file is seen as far as it is written."""
    if "tool" not in block:
        ((kind, pieces),) = block.items()
        events: list[Any] = [Delta(StreamContext(Source(kind)), piece) for piece in pieces]
        context = StreamContext(Source(kind))
    elif block["tool"] in WRITTEN:
        arguments = json.loads("".join(block["json"]))
        context = StreamContext(Source.TOOL, block["tool"], (arguments["path"],), "toolcall:1")
        events = [Snapshot(context, arguments[WRITTEN[block["tool"]]])]
    else:
        context = StreamContext(Source.TOOL, block["tool"], (), "toolcall:1")
        events = [Delta(context, piece) for piece in block["json"]]
    triggers: list[Trigger] = []
    for event in (*events, BlockEnd(context)):
        triggers += monitor.feed(event)
        if any(trigger.interrupts for trigger in triggers):
            break
    return triggers


def decided(recorded: dict[str, Any]) -> list[list[tuple[bool, set[str]]]]:
    """Of each answer whether it is cut off, and which rules matched. A turn is what it is there: each answer."""
    monitor = monitor_of(recorded)
    prompts = []
    for prompt, seen in zip(recorded["prompts"], recorded["seen"], strict=True):
        answers = []
        for number, request in enumerate(seen["requests"]):
            # A rule counts as told from its message on, or, in a call that is carried out, from its match.
            monitor.mark_injected([name for name, _, where in request["told"] if where != "result"])
            monitor.reset()
            triggers: list[Trigger] = []
            for block in prompt[number] if number < len(prompt) else ():
                if not any(trigger.interrupts for trigger in triggers):
                    triggers += triggers_of(monitor, block)
            is_cut = any(trigger.interrupts for trigger in triggers)
            if not is_cut and any(trigger.context.source is Source.TOOL for trigger in triggers):
                monitor.mark_injected([trigger.rule.name for trigger in triggers])
            answers.append((is_cut, {trigger.rule.name for trigger in triggers}))
            monitor.end_answer()
        prompts.append(answers)
    return prompts


def told(seen: dict[str, Any]) -> list[tuple[bool, set[str]]]:
    """Of each answer whether it was cut off, and which rules were told because of it: with the next request."""
    rules = [{name for name, _, _ in request["told"]} for request in (*seen["requests"], {"told": ()})]
    return [(request["cut"], rules[position + 1]) for position, request in enumerate(seen["requests"])]


@pytest.mark.parametrize(
    "recorded",
    [
        pytest.param(session, id=f"{version} {session['about']}")
        for version, sessions in RECORDED.items()
        for session in sessions
        if not has_question(session)
        and not MIXED.match(session["about"])
        and (version == NEW or session["about"] not in UNCHECKED)
    ],
)
def test_answers_are_interrupted_as_by_the_reference_agent(recorded: dict[str, Any]) -> None:
    assert decided(recorded) == [told(seen) for seen in recorded["seen"]]
