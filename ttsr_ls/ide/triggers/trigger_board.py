"""What a run has to show: triggers, and conditions that were too slow.

Imports nothing of the engine, so that a server has it from the start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from ttsr_ls.session.history.turn_events import ConditionTooSlow, RuleTriggered

# A rule that fires at every step must neither fill the memory nor the list of problems; the newest are kept.
MOST_TRIGGERS = 500


class LiveTrigger(Struct, frozen=True):
    """A trigger with its files as absolute, resolved paths; `target_path` is None where nothing is written to one.

    `shown_target` is that path for people: relative to the folder that the agent works in, where it lies inside.
    """

    event: RuleTriggered
    rule_path: str
    target_path: str | None
    shown_target: str | None


class SlowRuleCondition(Struct, frozen=True):
    """A condition that was too slow, with its rule's file as an absolute, resolved path."""

    event: ConditionTooSlow
    rule_path: str


class TriggerBoard(Struct, frozen=True):
    """What the newest run of each workspace folder has to show, by folder."""

    runs: tuple[tuple[str, tuple[LiveTrigger, ...]], ...] = ()
    slow_runs: tuple[tuple[str, tuple[SlowRuleCondition, ...]], ...] = ()

    @property
    def triggers(self) -> tuple[LiveTrigger, ...]:
        """All triggers, the oldest of each run first."""
        return tuple(trigger for _, triggers in self.runs for trigger in triggers)

    @property
    def slow(self) -> tuple[SlowRuleCondition, ...]:
        """All conditions that were too slow."""
        return tuple(each for _, slow in self.slow_runs for each in slow)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not self.runs and not self.slow_runs

    def of(self, folder: str) -> tuple[LiveTrigger, ...]:
        """The triggers of the run of `folder`."""
        return dict(self.runs).get(folder, ())

    def added(self, folder: str, trigger: LiveTrigger) -> TriggerBoard:
        """The board after `trigger` fired in the run of `folder`."""
        known = dict(self.runs)
        known[folder] = (*known.get(folder, ()), trigger)[-MOST_TRIGGERS:]
        return replace(self, runs=tuple(known.items()))

    def slow_of(self, folder: str) -> tuple[SlowRuleCondition, ...]:
        """The conditions that were too slow in the run of `folder`."""
        return dict(self.slow_runs).get(folder, ())

    def slowed(self, folder: str, slow: SlowRuleCondition) -> TriggerBoard:
        """The board after a condition was too slow in the run of `folder`."""
        known = dict(self.slow_runs)
        known[folder] = (*known.get(folder, ()), slow)[-MOST_TRIGGERS:]
        return replace(self, slow_runs=tuple(known.items()))

    def cleared(self, folder: str) -> TriggerBoard:
        """The board without what the run of `folder` showed, because a new one began."""
        return TriggerBoard(
            tuple((name, run) for name, run in self.runs if name != folder),
            tuple((name, slow) for name, slow in self.slow_runs if name != folder),
        )

    def paths(self) -> frozenset[str]:
        """The files that there is something to show on."""
        rules = {trigger.rule_path for trigger in self.triggers}
        targets = {trigger.target_path for trigger in self.triggers if trigger.target_path is not None}
        return frozenset(rules | targets | {each.rule_path for each in self.slow})
