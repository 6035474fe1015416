"""Silenced rules, and rules that are replaced, while a session is observed."""

from __future__ import annotations

from pathlib import PurePath

from tests.bridge.watch.watching import NO_OLD, MemoryLog, rules
from ttsr_ls.bridge.adapters.turn_tracker import PartsTracker
from ttsr_ls.bridge.watch.notices import SuppressedTriggerNotice, TriggerNotice
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.suppressed import SuppressedRule, Suppression, TriggersSuppressed
from ttsr_ls.session.history.turn_events import RulesLoaded, TurnCompleted
from ttsr_ls.session.lifecycle.noise_budget import NO_NOISE_LIMITS, NoiseLimits, Silence

BREAKS = "deprecated_module, "


class ChangingNoise:
    """Limits that a test changes."""

    def __init__(self, limits: NoiseLimits) -> None:
        self.limits = limits

    def __call__(self) -> NoiseLimits:
        return self.limits

    def join(self, session: str) -> None:
        pass


NO_NEW = "---\ncondition: new_module\n---\nUse newer_module.\n"


def test_a_silenced_trigger_is_only_counted_in_the_log() -> None:
    noise = ChangingNoise(NoiseLimits((Silence("no-old"),)))
    log, turns = MemoryLog(), PartsTracker(PurePath("/p"))
    watching = Observer(
        lambda _: rules(no_old=NO_OLD), log, settings=Settings(), matching=Matching.STABLE, noise_limits=noise
    )
    begun, answer = turns.ensure_answer()
    notices = watching.feed([*begun, *answer.add_complete_prose(Source.TEXT, BREAKS)], 1)
    (suppressed,) = [notice for notice in notices if isinstance(notice, SuppressedTriggerNotice)]
    assert (suppressed.rule.name, suppressed.reason) == ("no-old", Suppression.SILENCED)
    assert not log.triggers
    noise.limits = NO_NOISE_LIMITS  # It holds at once.
    again = [*turns.end_answer(), *turns.ensure_answer()[0]]
    notices = watching.feed([*again, *turns.ensure_answer()[1].add_complete_prose(Source.TEXT, BREAKS)], 2)
    assert [type(notice) for notice in notices if isinstance(notice, TriggerNotice)]
    watching.feed(turns.close_turn(TurnCompleted()), 3)
    counted = [event for event in log.events if isinstance(event, TriggersSuppressed)]
    assert [event.rules for event in counted] == [(SuppressedRule("no-old", Suppression.SILENCED, 1),)]


def test_rules_replaced_during_an_answer_apply_from_the_next_one() -> None:
    log, turns = MemoryLog(), PartsTracker(PurePath("/p"))
    watching = Observer(lambda _: rules(no_old=NO_OLD), log, settings=Settings(), matching=Matching.STABLE)
    begun, answer = turns.ensure_answer()
    watching.feed([*begun, *answer.add_prose("a", Source.TEXT, "import deprecated_")], 1)
    watching.replace_rules(lambda _: rules(no_new=NO_NEW), Settings(), 2)
    assert [type(event) for event in log.events][-1] is RulesLoaded
    # The match began before the rules changed, so it is not lost.
    watching.feed([*answer.add_prose("a", Source.TEXT, "module, new_module, "), *answer.end_part("a")], 3)
    assert [event.rule for event in log.triggers] == ["no-old"]
    watching.feed(turns.end_answer(), 4)
    begun, answer = turns.ensure_answer()
    watching.feed([*begun, *answer.add_complete_prose(Source.TEXT, "deprecated_module, new_module, ")], 5)
    assert [event.rule for event in log.triggers] == ["no-old", "no-new"]
