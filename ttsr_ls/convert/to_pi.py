"""Writes rules of pi-ttsr."""

from __future__ import annotations

import math

from ttsr_ls.convert.patterns import joined_conditions
from ttsr_ls.convert.portable_rule import ConversionError, FrontmatterEntry, PortableRule, TriggerSpec, WrittenRule
from ttsr_ls.syntax.pi.keys import PiScope

_EVERYWHERE_BUT_TEXT = "pi-ttsr matches only the agent's text, so the rule would never fire."


def to_pi(rule: PortableRule) -> WrittenRule:
    """Returns the rule for pi-ttsr, which fires on the agent's text only. A disabled rule becomes one that
    never fires.
    """
    firing = rule.activation
    if not isinstance(firing, TriggerSpec):
        raise ConversionError("The rule is guidance and never fires; pi-ttsr has only rules that fire.")
    lost = [*rule.lost, *firing.lost]
    _surfaces(firing, lost)
    pattern, flags, notes = joined_conditions(firing.conditions)
    lost += notes
    _left_out(rule, firing, lost)
    entries: list[FrontmatterEntry] = [("trigger", pattern)]
    if flags:
        entries.append(("flags", flags))
    entries.append(("scope", PiScope.ACCUMULATED.value))
    if not rule.is_enabled:
        entries.append(("maxFirings", 0.0))
    elif firing.max_firings > 1:
        entries.append(("maxFirings", firing.max_firings))
        if firing.cooldown > 0:
            entries.append(("cooldown", firing.cooldown))
    return WrittenRule(tuple(entries), rule.body, tuple(lost))


def _surfaces(firing: TriggerSpec, lost: list[str]) -> None:
    """Returns the part of the scope that pi-ttsr can express. Raises ConversionError if there is none."""
    if not firing.conditions:
        what = "AST conditions" if firing.ast_conditions else "a question"
        raise ConversionError(f"The rule has only {what}; pi-ttsr knows regular expressions.")
    if firing.globs:
        raise ConversionError(f"The rule is for certain files (`globs`), and text has none. {_EVERYWHERE_BUT_TEXT}")
    tokens = {token.lower() for token in firing.scope}
    if tokens and "text" not in tokens:
        raise ConversionError(f"The scope is `{', '.join(firing.scope)}`. {_EVERYWHERE_BUT_TEXT}")
    others = [token for token in firing.scope if token.lower() != "text"] or ([] if tokens else ["tool"])
    if others:
        listed = ", ".join(f"`{token}`" for token in others)
        lost.append(f"{listed} of the scope is left out: pi-ttsr matches only the agent's text.")


def _left_out(rule: PortableRule, firing: TriggerSpec, lost: list[str]) -> None:
    if firing.ast_conditions:
        lost.append("`astCondition` is left out: pi-ttsr knows regular expressions only.")
    if firing.question is not None:
        lost.append("`question` is left out: the rule fires on the condition alone.")
    if firing.agents:
        lost.append("`agents` is left out: pi-ttsr does not tell agents apart.")
    if firing.interrupt_mode in ("never", "tool-only"):
        lost.append(f"`interruptMode: {firing.interrupt_mode}` is left out: pi-ttsr always cuts the answer off.")
    if rule.description is not None:
        lost.append("`description` is left out: pi-ttsr has no place for it.")
    if math.isnan(firing.max_firings):
        lost.append("How often the rule fires is no number, which counts as no limit.")
