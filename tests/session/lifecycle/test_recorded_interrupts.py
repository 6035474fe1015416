"""Compares the matches that interrupt an answer with recordings of the reference agent (`record_interrupts.py`).

For each answer: the rules that match, and whether one of them interrupts, decided by the monitor alone.
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
"""The arguments on which calls that write files are matched."""
MIXED = re.compile("never in |prose-only in |tool-only in |always in the second")
"""Sessions whose answers continue after a match: when their rules are injected is decided by the lifecycle."""


def monitor_of(recorded: dict[str, Any]) -> Monitor:
    settings = settings_of(recorded)
    files = [read_rule(text, name=name, path=f"/w/{name}.md") for name, text in recorded["rules"].items()]
    return Monitor(RuleSet.build([register(file, "native") for file in files], settings), settings, Matching.REFERENCE)


def triggers_of(monitor: Monitor, block: Block) -> list[Trigger]:
    """The triggers of a block up to the first interrupting delta. A file is matched by its complete text."""
    if "tool" not in block:
        ((kind, texts),) = block.items()
        events: list[Any] = [Delta(StreamContext(Source(kind)), text) for text in texts]
        context = StreamContext(Source(kind))
    elif block["tool"] in WRITTEN:
        arguments = json.loads("".join(block["json"]))
        context = StreamContext(Source.TOOL, block["tool"], (arguments["path"],), "toolcall:1")
        events = [Snapshot(context, arguments[WRITTEN[block["tool"]]])]
    else:
        context = StreamContext(Source.TOOL, block["tool"], (), "toolcall:1")
        events = [Delta(context, text) for text in block["json"]]
    triggers: list[Trigger] = []
    for event in (*events, BlockEnd(context)):
        triggers += monitor.feed(event)
        if any(trigger.interrupts for trigger in triggers):
            break
    return triggers


def decisions(recorded: dict[str, Any]) -> list[list[tuple[bool, set[str]]]]:
    """For each answer, whether it is interrupted, and the rules that matched."""
    monitor = monitor_of(recorded)
    prompts = []
    for prompt, seen in zip(recorded["prompts"], recorded["seen"], strict=True):
        answers = []
        for number, request in enumerate(seen["requests"]):
            # A rule is marked as injected from its message on, or, in a call that runs, from its match.
            monitor.mark_injected([name for name, _, where in request["told"] if where != "result"])
            monitor.reset()
            triggers: list[Trigger] = []
            for block in prompt[number] if number < len(prompt) else ():
                if not any(trigger.interrupts for trigger in triggers):
                    triggers += triggers_of(monitor, block)
            is_interrupted = any(trigger.interrupts for trigger in triggers)
            if not is_interrupted and any(trigger.context.source is Source.TOOL for trigger in triggers):
                monitor.mark_injected([trigger.rule.name for trigger in triggers])
            answers.append((is_interrupted, {trigger.rule.name for trigger in triggers}))
            monitor.end_answer()
        prompts.append(answers)
    return prompts


def recorded_decisions(seen: dict[str, Any]) -> list[tuple[bool, set[str]]]:
    """For each recorded answer, whether it was interrupted, and the rules that were injected with the next request."""
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
    assert decisions(recorded) == [recorded_decisions(seen) for seen in recorded["seen"]]
