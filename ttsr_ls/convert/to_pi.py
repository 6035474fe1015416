"""Writes rules of pi-ttsr."""

from __future__ import annotations

import math

from ttsr_ls.convert.patterns import joined_conditions
from ttsr_ls.convert.portable_rule import ConversionError, FrontmatterEntry, PortableRule, TriggerSpec, WrittenRule
from ttsr_ls.syntax.pi.keys import PiScope

_ONLY_TEXT = "pi-ttsr matches only the agent's text, so the rule would never fire."


def to_pi(rule: PortableRule) -> WrittenRule:
    """Returns the rule for pi-ttsr, which fires on the agent's text only. A disabled rule becomes one that
    never fires.
    """
    spec = rule.activation
    if not isinstance(spec, TriggerSpec):
        raise ConversionError("The rule is guidance and never fires; pi-ttsr has only rules that fire.")
    losses = [*rule.lost, *spec.lost]
    _check_scope(spec, losses)
    pattern, flags, notes = joined_conditions(spec.conditions)
    losses += notes
    _add_lost_keys(rule, spec, losses)
    entries: list[FrontmatterEntry] = [("trigger", pattern)]
    if flags:
        entries.append(("flags", flags))
    entries.append(("scope", PiScope.ACCUMULATED.value))
    if not rule.is_enabled:
        entries.append(("maxFirings", 0.0))
    elif spec.max_firings > 1:
        entries.append(("maxFirings", spec.max_firings))
        if spec.cooldown > 0:
            entries.append(("cooldown", spec.cooldown))
    return WrittenRule(tuple(entries), rule.body, tuple(losses))


def _check_scope(trigger_spec: TriggerSpec, losses: list[str]) -> None:
    """Adds the parts of the scope that pi-ttsr lacks to `losses`. Raises ConversionError if nothing is left."""
    if not trigger_spec.conditions:
        label = "AST conditions" if trigger_spec.ast_conditions else "a question"
        raise ConversionError(f"The rule has only {label}; pi-ttsr supports only regular expressions.")
    if trigger_spec.globs:
        raise ConversionError(f"The rule is for certain files (`globs`), and text has none. {_ONLY_TEXT}")
    tokens = {token.lower() for token in trigger_spec.scope}
    if tokens and "text" not in tokens:
        raise ConversionError(f"The scope is `{', '.join(trigger_spec.scope)}`. {_ONLY_TEXT}")
    other_names = [token for token in trigger_spec.scope if token.lower() != "text"] or ([] if tokens else ["tool"])
    if other_names:
        listing = ", ".join(f"`{token}`" for token in other_names)
        losses.append(f"{listing} of the scope is left out: pi-ttsr matches only the agent's text.")


def _add_lost_keys(rule: PortableRule, trigger_spec: TriggerSpec, losses: list[str]) -> None:
    if trigger_spec.ast_conditions:
        losses.append("`astCondition` is left out: pi-ttsr supports only regular expressions.")
    if trigger_spec.question is not None:
        losses.append("`question` is left out: the rule fires on the condition alone.")
    if trigger_spec.agents:
        losses.append("`agents` is left out: pi-ttsr does not distinguish agents.")
    if trigger_spec.interrupt_mode in ("never", "tool-only"):
        losses.append(
            f"`interruptMode: {trigger_spec.interrupt_mode}` is left out: pi-ttsr always interrupts the answer."
        )
    if rule.description is not None:
        losses.append("`description` is left out: pi-ttsr has no key for it.")
    if math.isnan(trigger_spec.max_firings):
        losses.append("`maxFirings` is not a number, which means no limit.")
