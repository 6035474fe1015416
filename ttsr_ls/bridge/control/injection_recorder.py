"""Builds the texts about rules for an agent and records them. A text that is not recorded is not sent (spec U1)."""

from __future__ import annotations

from collections.abc import Callable

from ttsr_ls.bridge.control.correction import Correction
from ttsr_ls.bridge.control.injection_text import DisplayRoots, deferred_text, interrupt_text
from ttsr_ls.bridge.control.turn_merger import TurnMerger
from ttsr_ls.bridge.control.views import RulesInjected, RunView
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.rules.rule import Rule
from ttsr_ls.session.history.turn import InjectionKind
from ttsr_ls.session.lifecycle.rule_state import RuleRef


class InjectionRecorder:
    """Builds the texts about rules for the agent of one session, and records each in the log before it may be sent.

    `show` is called with each view for the user.
    """

    __slots__ = ("_observer", "_roots", "_show", "_turns", "injected_texts", "reminders")

    def __init__(
        self, observer: Observer, roots: DisplayRoots, turns: TurnMerger, show: Callable[[RunView], None]
    ) -> None:
        self._observer = observer
        self._roots = roots
        self._turns = turns
        self._show = show
        self.reminders: dict[str, Rule] = {}
        """The rules to inject with the next reminder, by their paths."""
        self.injected_texts: list[str] = []
        """The texts about rules that were recorded in this turn."""

    def interrupt(self, correction: Correction, attempt: int, now: int) -> str | None:
        """Builds and records the text after the `attempt`th interrupt of the turn. None: it is not recorded."""
        correction.is_sent = True
        text = (deferred_text if correction.call_ran else interrupt_text)(correction.rules, self._roots)
        return self._record(InjectionKind.INTERRUPT, text, correction.rules, attempt, now)

    def reminder(self, now: int) -> str | None:
        """Builds and records the text about the rules in `reminders`, and clears these. None: it is not recorded."""
        rules = tuple(self.reminders.values())
        self.reminders.clear()
        return self._record(InjectionKind.REMINDER, deferred_text(rules, self._roots), rules, 0, now)

    def _record(self, kind: InjectionKind, text: str, rules: tuple[Rule, ...], attempt: int, now: int) -> str | None:
        refs = tuple(RuleRef(rule.name, rule.path) for rule in rules)
        is_recorded, notices = self._observer.inject(kind, text, refs, attempt, now)
        for notice in notices:
            self._show(notice)
        if not is_recorded:
            return None
        self.injected_texts.append(text)
        self._turns.add_sent(text)
        self._show(RulesInjected(tuple(dict.fromkeys(rule.name for rule in rules)), text))
        return text
