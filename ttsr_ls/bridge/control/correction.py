"""The state of an interrupt: the rules that caused it, and whether a tool call that broke one ran nevertheless."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ttsr_ls.bridge.control.driver import AgentDriver, Capabilities, Plan, Rewinding
from ttsr_ls.bridge.control.views import CallRanAnyway
from ttsr_ls.bridge.watch.notices import TriggerNotice
from ttsr_ls.bridge.watch.trigger_texts import rule_names_of
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.turn_events import CallDone, ToolState


class Correction:
    """An interrupt from its first trigger until the agent answers again."""

    __slots__ = ("_rules", "call_ran", "is_prompted", "is_sent")

    def __init__(self, notices: Iterable[TriggerNotice], *, call_ran: bool) -> None:
        self._rules: dict[str, Rule] = {}
        self.add(notices)
        self.call_ran = call_ran
        self.is_sent = False
        """The rules were injected; further rules that this answer breaks are not."""
        self.is_prompted = False
        """The agent refused an interrupt and is prompted instead."""

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that the answer broke."""
        return tuple(self._rules.values())

    @property
    def rules_by_name(self) -> tuple[str, ...]:
        """The names of the rules that the answer broke, each once."""
        return tuple(dict.fromkeys(rule.name for rule in self._rules.values()))

    def add(self, notices: Iterable[TriggerNotice]) -> None:
        """Adds further rules that the answer broke."""
        for notice in notices:
            self._rules.setdefault(notice.rule.path, notice.rule)


class ViolatingCalls:
    """The tool calls of a turn that broke rules, by their ids."""

    __slots__ = ("_forbidden", "_notices")

    def __init__(self) -> None:
        self._notices: dict[str, list[TriggerNotice]] = {}
        self._forbidden: set[str] = set()

    def add(self, notice: TriggerNotice, *, is_forbidden: bool) -> None:
        """Adds a call on which a rule fired."""
        call = notice.event.call
        if call is not None:
            self._notices.setdefault(call, []).append(notice)
            if is_forbidden:
                self._forbidden.add(call.partition("#")[0])

    def is_forbidden(self, call_id: str) -> bool:
        """Returns whether a rule that interrupts fired on the call."""
        return call_id in self._forbidden

    def view_if_finished(self, call_id: str, state: ToolState) -> CallRanAnyway | None:
        """Returns the view of a finished call that ran although a rule forbade it, once; None for other calls."""
        notices = self._notices.pop(call_id, [])
        if not notices or not isinstance(state, CallDone) or call_id.partition("#")[0] not in self._forbidden:
            return None
        return CallRanAnyway(rule_names_of(notices), notices[0].event.tool or "")

    def clear(self) -> None:
        """Removes all calls at the end of the turn."""
        self._notices.clear()
        self._forbidden.clear()


def supported_mode(mode: ContextMode, can: Capabilities, *, is_fresh: bool, may_run: bool) -> ContextMode:
    """Returns the context mode that this agent supports; `is_fresh`: no tool call of the turn has run; `may_run`: a
    tool call of the answer may run.

    A turn or an answer whose calls have run is not removed, because the model must know their results.
    """
    is_removable = can.rewinding is Rewinding.ANSWER or (can.rewinding is Rewinding.TURN and is_fresh)
    can_discard = is_removable and not may_run
    if mode is ContextMode.KEEP and (can.keeps or can.steers):
        return ContextMode.KEEP
    return ContextMode.DISCARD if can_discard else ContextMode.KEEP


def interrupt_plan(driver: AgentDriver, context: ContextMode, injection: Callable[[bool, bool], Plan]) -> Plan:
    """Returns the steps that interrupt, rewind, and inject. The arguments of `injection` are whether its message also
    interrupts, and whether it repeats the prompt."""
    can = driver.capabilities
    if context is ContextMode.DISCARD:
        return (*driver.interrupt(), *driver.rewind(), *injection(False, can.rewinding is Rewinding.TURN))
    return injection(True, False) if can.steers else (*driver.interrupt(), *injection(False, False))
