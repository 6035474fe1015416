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


def trigger_text(read: PiRuleFile) -> str:
    """The explanation of the trigger with its flags; empty where there is none."""
    if read.trigger is None:
        return ""
    try:
        group = read_flags(read.flags).group
    except TtsrError:
        group = ""
    return condition_text(group + read.trigger.value)


def scope_text(scope: PiScope) -> str:
    """Returns, in one sentence, the text on which the trigger is tested."""
    match scope:
        case PiScope.LINE:
            how = "each line of the answer so far is tried, also the unfinished last one (`scope: line`)"
        case PiScope.CHUNK:
            how = "each piece is tried by itself as it comes, so what is cut in two is missed (`scope: chunk`)"
        case PiScope.ACCUMULATED:
            how = "the whole answer so far is tried (`scope: accumulated`)"
        case _:
            assert_never(scope)
    return f"**Watches** what the agent says, not its thinking and not its tools: {how}."


def limits_text(limits: FiringLimits) -> str:
    """Describes in one sentence how often the rule fires."""
    most = limits.max_firings
    if most <= 0:
        return "**Never fires**: `maxFirings` leaves it no firing."
    return (
        f"**Fires** {firings_phrase(limits)}, and cuts the answer off each time. Of several rules only the first does."
    )


def firings_phrase(limits: FiringLimits) -> str:
    """Describes in a few words how often a rule that may fire does so."""
    most = limits.max_firings
    if most <= 1:
        return "once in a session"
    often = f"up to {math.ceil(most)} times in a session" if math.isfinite(most) else "as often as it matches"
    return f"{often}, at least {limits.cooldown:g} s apart" if limits.cooldown > 0 else often


def limits_of(read: PiRuleFile) -> FiringLimits:
    """Returns the firing limits in a rule file."""
    return FiringLimits(read.max_firings, read.cooldown)


def obstacle_text(registration: Registration) -> str | None:
    """Returns why the rule can never fire, in a sentence; None if the file has no such defect."""
    if registration.rule is None:
        messages = [problem.message for problem in registration.problems]
        return messages[0] if messages else "It has no `trigger` that is a text, so pi-ttsr cannot load it."
    if registration.rule.pi is not None and registration.rule.pi.limits.max_firings <= 0:
        return "Its `maxFirings` leaves it no firing."
    return None


def regex_text(read: PiRuleFile) -> str:
    """The trigger with its flags, as JavaScript writes it."""
    return f"/{'' if read.trigger is None else read.trigger.value}/{read.flags}"


def trigger_summary(read: PiRuleFile) -> str:
    """The summary of the rule, on one line of plain text."""
    where = {PiScope.LINE: "a line of the text", PiScope.CHUNK: "a piece of the text", PiScope.ACCUMULATED: "the text"}
    return f"fires on {regex_text(read)} in {where[read.scope]}, {firings_phrase(limits_of(read))}"


def hover_text(read: PiRuleFile) -> str:
    """Returns the complete explanation of the trigger, in Markdown."""
    return "\n\n".join((trigger_text(read), scope_text(read.scope), limits_text(limits_of(read))))


def body_text(read: PiRuleFile) -> str:
    """The description of the rule's body."""
    words = len(read.file.body.value.split())
    title = inline_code(f"[TTSR RULE: {read.file.name}]")
    shown = f"{words} word{'' if words == 1 else 's'}"
    return f"**Tells the agent** {shown} under the title {title}, and has it answer anew."
