"""What is done about matches (spec I1 to I4): the answer is cut off, or the model told later. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from msgspec import Struct

from ttsr_ls.rules.settings.settings import ContextMode, Settings
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.lifecycle.rule_state import Named, RuleState
from ttsr_ls.session.rules.session_monitor import Fired


class CutOff(Struct, frozen=True):
    """The answer is cut off, and the model told of all of these."""

    fired: tuple[Fired, ...]
    context: ContextMode


class Claimed(Struct, frozen=True):
    """The result of the tool call will carry a reminder of these."""

    fired: tuple[Fired, ...]


class Deferred(Struct, frozen=True):
    """The model is told of these when the answer is complete."""

    fired: tuple[Fired, ...]


class OnlyTold(Struct, frozen=True):
    """People are told, the model is not: the turn has been cut off too often."""

    fired: tuple[Fired, ...]


class Nothing(Struct, frozen=True):
    """There is nothing that the model is not told anyway."""


Verdict = CutOff | Claimed | Deferred | OnlyTold | Nothing


def verdict(
    state: RuleState,
    fired: Iterable[Fired],
    call: str | None,
    settings: Settings,
    *,
    can_retry: bool = True,
) -> Verdict:
    """What is done about what one piece of an answer triggered; `call` is the tool call that it belongs to.

    `can_retry` is False where a limit of the turn was reached: nothing may have the model asked again.
    """
    told_later, reserved = state.deferred, state.reserved

    def cuts(each: Fired) -> bool:
        return can_retry and each.trigger.interrupts

    # A rule that was to be told after the answer still cuts it off where its mode says so.
    news = {
        named(each): each for each in fired if named(each) not in reserved or (named(each) in told_later and cuts(each))
    }
    if not news:
        return Nothing()
    matched = tuple(news.values())
    if any(map(cuts, matched)):
        # One rule that interrupts takes the others of its batch along.
        modes = (each.rule.profile.context_mode or settings.context_mode for each in matched)
        discards = any(mode is ContextMode.DISCARD for mode in modes)
        return CutOff(matched, ContextMode.DISCARD if discards else ContextMode.KEEP)
    match matched[0].trigger.context.source:
        case Source.TOOL if call:
            claimed = {claim.rule for claim in state.claims}
            free = tuple(each for rule, each in news.items() if rule not in claimed)
            return Claimed(free) if free else Nothing()
        case Source.TOOL | Source.TEXT | Source.THINKING:
            return Deferred(matched) if can_retry else OnlyTold(matched)
        case source:
            assert_never(source)


def named(fired: Fired) -> Named:
    """The rule that fired."""
    return Named(fired.rule.name, fired.rule.path)
