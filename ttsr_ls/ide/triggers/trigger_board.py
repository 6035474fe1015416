"""The triggers of agents' runs that an editor shows, and the conditions that were disabled in them.

Imports no part of the engine, so that a server can start with it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from ttsr_ls.ide.triggers.trigger_outcome import TriggerOutcome
    from ttsr_ls.session.history.turn_events import ConditionTooSlow, RuleTriggered

# A rule that fires at every step must neither fill the memory nor the list of problems; the newest are kept.
MAX_TRIGGERS = 500


class LiveTrigger(Struct, frozen=True):
    """A trigger with its files as absolute, resolved paths; `target_path` is None where nothing is written to one.

    `shown_target` is that path for users: relative to the folder of the agent, if it lies inside. `log` and `sequence`
    are the position of the trigger's record. `outcome` None: nothing is known yet.
    """

    event: RuleTriggered
    rule_path: str
    target_path: str | None
    shown_target: str | None
    log: str = ""
    sequence: int = 0
    outcome: TriggerOutcome | None = None


class DisabledRuleCondition(Struct, frozen=True):
    """A condition that was disabled, with the absolute, resolved path of its rule, and its position in the log."""

    event: ConditionTooSlow
    rule_path: str
    sequence: int = 0


class RunKey(Struct, frozen=True):
    """One run: the workspace in which it is shown, and its session log or another name for it."""

    workspace: str
    log: str


class ShownRun(Struct, frozen=True):
    """The triggers of a run. `last` is the position of the last record of its log that was read."""

    key: RunKey
    last: int = 0
    triggers: tuple[LiveTrigger, ...] = ()
    disabled: tuple[DisabledRuleCondition, ...] = ()

    def after(self, sequence: int) -> ShownRun:
        """The run with only what its log has after a record."""
        return replace(
            self,
            triggers=tuple(trigger for trigger in self.triggers if trigger.sequence > sequence),
            disabled=tuple(condition for condition in self.disabled if condition.sequence > sequence),
        )


class TriggerBoard(Struct, frozen=True):
    """The triggers of runs: in each workspace, those of the current runs and of the newest one."""

    runs: tuple[ShownRun, ...] = ()

    @property
    def triggers(self) -> tuple[LiveTrigger, ...]:
        """All triggers, the oldest of each run first."""
        return tuple(trigger for run in self.runs for trigger in run.triggers)

    @property
    def disabled(self) -> tuple[DisabledRuleCondition, ...]:
        """All conditions that were disabled."""
        return tuple(condition for run in self.runs for condition in run.disabled)

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to show."""
        return not any(run.triggers or run.disabled for run in self.runs)

    def of(self, workspace: str) -> tuple[ShownRun, ...]:
        """The runs in a workspace."""
        return tuple(run for run in self.runs if run.key.workspace == workspace)

    def run(self, key: RunKey) -> ShownRun:
        """The run with a key; an empty run if it is unknown."""
        return next((run for run in self.runs if run.key == key), ShownRun(key))

    def with_run(self, shown_run: ShownRun) -> TriggerBoard:
        """The board with a new version of a run, with its newest triggers and conditions."""
        kept_run = replace(
            shown_run, triggers=shown_run.triggers[-MAX_TRIGGERS:], disabled=shown_run.disabled[-MAX_TRIGGERS:]
        )
        if any(run.key == kept_run.key for run in self.runs):
            return TriggerBoard(tuple(kept_run if run.key == kept_run.key else run for run in self.runs))
        return TriggerBoard((*self.runs, kept_run))

    def added(self, key: RunKey, trigger: LiveTrigger) -> TriggerBoard:
        """The board after `trigger` fired in a run."""
        run = self.run(key)
        return self.with_run(replace(run, triggers=(*run.triggers, trigger)))

    def with_disabled(self, key: RunKey, condition: DisabledRuleCondition) -> TriggerBoard:
        """The board after a condition was disabled in a run."""
        run = self.run(key)
        return self.with_run(replace(run, disabled=(*run.disabled, condition)))

    def seen(self, key: RunKey, sequence: int) -> TriggerBoard:
        """The board after a record of a run was seen."""
        return self.with_run(replace(self.run(key), last=sequence))

    def with_outcomes(self, key: RunKey, new_outcome: Callable[[LiveTrigger], TriggerOutcome | None]) -> TriggerBoard:
        """The board after an event of a run; `new_outcome` returns None for a trigger whose outcome did not change."""
        run = self.run(key)
        outcomes = tuple((trigger, new_outcome(trigger)) for trigger in run.triggers)
        if all(outcome is None for _, outcome in outcomes):
            return self
        changed = tuple(
            trigger if outcome is None else replace(trigger, outcome=outcome) for trigger, outcome in outcomes
        )
        return self.with_run(replace(run, triggers=changed))

    def without(self, keys: Collection[RunKey]) -> TriggerBoard:
        """The board without some runs."""
        return TriggerBoard(tuple(run for run in self.runs if run.key not in keys))

    def paths(self) -> frozenset[str]:
        """The files that have marks."""
        rules = {trigger.rule_path for trigger in self.triggers}
        targets = {trigger.target_path for trigger in self.triggers if trigger.target_path is not None}
        return frozenset(rules | targets | {condition.rule_path for condition in self.disabled})
