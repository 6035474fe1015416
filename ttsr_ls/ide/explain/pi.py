"""Explains rules of pi-ttsr in plain English: their streams, how often they fire, and why they are not loaded."""

from __future__ import annotations

import math
from typing import assert_never

from ttsr_ls.errors import TtsrError
from ttsr_ls.ide.explain.condition import condition_text
from ttsr_ls.ide.markdown import inline_code
from ttsr_ls.rules.dialects.pi_trigger import FiringLimits
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.pi.keys import PiScope
from ttsr_ls.syntax.pi.pattern import read_flags
from ttsr_ls.syntax.pi.rule_file import PiRuleFile


def trigger_text(file: PiRuleFile) -> str:
    """The explanation of the trigger with its flags; empty where there is none."""
    if file.trigger is None:
        return ""
    try:
        group = read_flags(file.flags).group
    except TtsrError:
        group = ""
    return condition_text(group + file.trigger.value)


def scope_text(scope: PiScope) -> str:
    """Returns, in one sentence, the text on which the trigger is tested."""
    match scope:
        case PiScope.LINE:
            how = "each line of the answer so far is tried, also the unfinished last one (`scope: line`)"
        case PiScope.CHUNK:
            how = "each chunk is tried by itself, so a match across two chunks is missed (`scope: chunk`)"
        case PiScope.ACCUMULATED:
            how = "the whole answer so far is tried (`scope: accumulated`)"
        case _:
            assert_never(scope)
    return f"**Matched on** the agent's text, not on its thinking and not on its tools: {how}."


def limits_text(limits: FiringLimits) -> str:
    """Describes in one sentence how often the rule fires."""
    max_firings = limits.max_firings
    if max_firings <= 0:
        return "**Never fires**: `maxFirings` allows no firing."
    return (
        f"**Fires** {firings_phrase(limits)}, and interrupts the answer each time. Of several rules that match, only "
        "the first fires."
    )


def firings_phrase(limits: FiringLimits) -> str:
    """Describes in a few words how often a rule that may fire does so."""
    max_firings = limits.max_firings
    if max_firings <= 1:
        return "once in a session"
    often = (
        f"up to {math.ceil(max_firings)} times in a session" if math.isfinite(max_firings) else "as often as it matches"
    )
    return f"{often}, at least {limits.cooldown:g} s apart" if limits.cooldown > 0 else often


def limits_of(file: PiRuleFile) -> FiringLimits:
    """Returns the firing limits in a rule file."""
    return FiringLimits(file.max_firings, file.cooldown)


def obstacle_text(registration: Registration) -> str | None:
    """Returns why the rule can never fire, in a sentence; None if the file has no such defect."""
    if registration.rule is None:
        messages = [problem.message for problem in registration.problems]
        return messages[0] if messages else "It has no `trigger` that is a text, so pi-ttsr cannot load it."
    if registration.rule.pi is not None and registration.rule.pi.limits.max_firings <= 0:
        return "Its `maxFirings` allows no firing."
    return None


def regex_text(file: PiRuleFile) -> str:
    """The trigger with its flags, as JavaScript writes it."""
    return f"/{'' if file.trigger is None else file.trigger.value}/{file.flags}"


def trigger_summary(file: PiRuleFile) -> str:
    """The summary of the rule, on one line of plain text."""
    place = {PiScope.LINE: "a line of the text", PiScope.CHUNK: "a chunk of the text", PiScope.ACCUMULATED: "the text"}
    return f"fires on {regex_text(file)} in {place[file.scope]}, {firings_phrase(limits_of(file))}"


def hover_text(file: PiRuleFile) -> str:
    """Returns the complete explanation of the trigger, in Markdown."""
    return "\n\n".join((trigger_text(file), scope_text(file.scope), limits_text(limits_of(file))))


def body_text(file: PiRuleFile) -> str:
    """Describes the injection of the rule's body."""
    words = len(file.file.body.value.split())
    title = inline_code(f"[TTSR RULE: {file.file.name}]")
    display = f"{words} word{'' if words == 1 else 's'}"
    return f"**Injects** {display} under the title {title}, and the agent answers again."
