"""Reads rules of pi-ttsr."""

from __future__ import annotations

import math

from ttsr_ls.convert.portable_rule import ConversionError, PortableRule, TriggerSpec
from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.syntax.pi.keys import PiScope
from ttsr_ls.syntax.pi.pattern import FlagsError, PiFlags, can_be_matched, read_flags, stream_condition
from ttsr_ls.syntax.pi.rule_file import read_pi_rule


def from_pi(text: str, *, name: str, path: str) -> PortableRule:
    """Reads a rule of pi-ttsr. A rule that never fires becomes a disabled one."""
    file = read_pi_rule(text, name=name, path=path)
    if file.trigger is None:
        raise ConversionError("The rule has no `trigger`, so there is nothing to fire on.")
    try:
        flags = read_flags(file.flags)
        if not can_be_matched(file.trigger.value, flags):
            flag = "v" if "v" in flags.letters else "u"
            raise ConversionError(f"Its trigger needs the flag `{flag}`, without which it has another meaning.")
        condition = stream_condition(file.trigger.value, flags, file.scope)
    except FlagsError as error:
        raise ConversionError(f"Its flags are not valid: {error}.") from error
    except RegexSyntaxError as error:
        raise ConversionError(f"Its trigger is not a valid regular expression: {error.message}") from error
    fires = not file.max_firings <= 0
    trigger_spec = TriggerSpec(
        conditions=(condition,),
        scope=("text",),
        max_firings=math.inf if math.isnan(file.max_firings) else max(file.max_firings, 1.0),
        cooldown=max(file.cooldown, 0.0) if not math.isnan(file.cooldown) else 0.0,
        lost=_lost(flags, file.scope),
    )
    return PortableRule(name, None, fires, trigger_spec, file.file.body.value)


def _lost(flags: PiFlags, scope: PiScope) -> tuple[str, ...]:
    losses = []
    if flags.is_stateful:
        losses.append(
            "The flags `g` and `y` are left out: each text is searched from its start, so no text is skipped."
        )
    if flags.is_unicode:
        losses.append("The flag `u` is left out: the pattern is read in the syntax without it, in UTF-16 units.")
    if scope is PiScope.CHUNK:
        losses.append("`scope: chunk` is left out: the pattern is found in the whole text, however it is split.")
    return tuple(losses)
