"""A rule's description and its question in plain English: their readers, and when they are used."""

from __future__ import annotations

from typing import assert_never

from ttsr_ls.ide.explain.scope import streams_text
from ttsr_ls.rules.registration import Bucket, register
from ttsr_ls.syntax.rule_file import RuleFile


def description_text(file: RuleFile) -> str:
    """Describes who reads the description of a rule of oh-my-pi."""
    match register(file, "").bucket:
        case Bucket.TTSR:
            return (
                "**For people**: the rule has a trigger, so this line is in no prompt. `ttsr-ls scan` prints it below "
                "the matches of the rule."
            )
        case Bucket.RULEBOOK:
            return (
                "**In the prompt**: the rule has no trigger that works, so the prompt lists it by this line, and the "
                "agent reads the body when it needs it."
            )
        case Bucket.ALWAYS:
            return "**For people**: the whole body is a part of every prompt (`alwaysApply`)."
        case Bucket.DISABLED:
            return "The rule is switched off by `enabled: false`."
        case Bucket.DROPPED:
            return "The rule has no effect: it has no body."
        case bucket:
            assert_never(bucket)


def question_text(file: RuleFile) -> str:
    """Describes when a judge model is asked the question of a rule, and the effect of its answer."""
    registration = register(file, "")
    conditions = 0 if registration.rule is None else len(registration.rule.conditions)
    if conditions == 0:
        filtered = "No condition filters it, so it is asked about each finished output."
    else:
        subject = "the condition matches" if conditions == 1 else f"one of the {conditions} conditions matches"
        filtered = f"It is asked about a finished output in which {subject}."
    return (
        f"**A question for a judge model**, which answers yes or no. {filtered}\n\n{streams_text(file.fields)}\n\n"
        "After a yes, the body is injected as a reminder; a rule with a question never interrupts."
    )
