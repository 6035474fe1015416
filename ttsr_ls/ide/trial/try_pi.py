"""Tries rules of pi-ttsr on a text, and says what stops those that do not fire."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ttsr_ls.esregex.tree.units import to_units
from ttsr_ls.ide.trial.condition_trial import matched_conditions
from ttsr_ls.ide.trial.try_out import AT_ONCE, Obstacle, Outcome, Streaming, TryOut, firings_on, given_up_in
from ttsr_ls.matching.streams.watchers import Watchers
from ttsr_ls.rules.dialects.pi_rule import PiRule
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import Source, StreamContext
from ttsr_ls.session.rules.session_monitor import pi_voice
from ttsr_ls.syntax.pi.rule_file import PiScope

AS_IT_COMES = Streaming(matching=Matching.REFERENCE)
"""What the scopes of this dialect mean is how a text came, of which stable matching knows nothing."""


def try_pi(rules: Iterable[PiRule], text: str, context: StreamContext, streaming: Streaming = AT_ONCE) -> TryOut:
    """Tries rules in load order: on each answer the first that matches fires, and no other.

    Raises `UsageError` for a chunk below 1.
    """
    tried = tuple(rules)
    watchers = Watchers()
    voice = pi_voice(tried, streaming.matching, watchers, limits=streaming.limits)
    firings = firings_on(voice, text, context, streaming)
    answers = {firing.answer for fired in firings.values() for firing in fired}
    is_cut_off = len(answers) == streaming.answers
    outcomes = []
    given_up = given_up_in(voice)
    decided = matched_conditions([each.rule for each in tried], to_units(text), watchers, streaming.limits)
    for each, conditions in zip(tried, decided, strict=True):
        fired = firings.get(each.rule.path, ())
        matched = conditions.matched
        slow = tuple(sorted({*conditions.slow, *given_up.get(each.rule.path, ())}))
        is_undecided = bool(slow) and not is_cut_off
        obstacles = _obstacles(each, context, bool(matched), is_undecided, is_cut_off, streaming.matching)
        if fired and not matched:
            matched = (0,)  # On a beginning of the text that the whole text does not match (spec M6).
        outcomes.append(Outcome(each.rule, fired, () if fired else tuple(obstacles), matched, slow, streaming.matching))
    return TryOut(tuple(outcomes))


def _obstacles(
    rule: PiRule, context: StreamContext, matches: bool, is_undecided: bool, is_cut_off: bool, matching: Matching
) -> Iterator[Obstacle]:
    can_fire = True
    if context.source is not Source.TEXT:
        can_fire = False
        yield Obstacle.ONLY_TEXT
    if rule.limits.max_firings <= 0:
        can_fire = False
        yield Obstacle.NO_FIRINGS
    if is_undecided:
        yield Obstacle.UNDECIDED
    elif not matches:
        yield Obstacle.CONDITION
    elif can_fire and is_cut_off:
        yield Obstacle.CUT_OFF
    elif can_fire and matching is Matching.REFERENCE:
        yield Obstacle.PIECES if rule.scope is PiScope.CHUNK else Obstacle.PLACE
