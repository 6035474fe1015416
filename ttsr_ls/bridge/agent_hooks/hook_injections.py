"""The texts that hooks add to results of calls and to ends of answers, recorded before they are sent (spec U1)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from ttsr_ls.bridge.agent_hooks.hook_call import Allowed, ContextAdded, Continued
from ttsr_ls.bridge.watch.notices import Notice, TriggerNotice
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.bridge.watch.trigger_texts import render_triggers, rule_names_of, rule_refs_of
from ttsr_ls.put_bounded import put_bounded
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import Injection, InjectionKind
from ttsr_ls.session.history.turn_events import InjectionCommitted, ReminderFolded, TurnEvent
from ttsr_ls.session.lifecycle.rule_state import RuleRef, names_of, paths_of
from ttsr_ls.session.lifecycle.templates import DEFERRED
from ttsr_ls.store.log.turn_log import LogWriteError

REMINDER = """\
<system-interrupt reason="rule_violation" rule="{{name}}" path="{{path}}">
This tool call was carried out, though it breaks a rule of this project. The rule says:

{{content}}
</system-interrupt>"""
"""The message to the model about a call that ran.

Claude Code escapes the tag `system-reminder` where a hook sends it, and it adds the text after the call's result.
"""

JUDGED = """\
<system-interrupt reason="rule_violation" rule="{{name}}" path="{{path}}">
Your last answer or tool call seems to break a rule of this project. If it does, put that right; if not, go on.

{{content}}
</system-interrupt>"""
"""The message to the model about output that the judge found to break a rule. Its tag is that of `REMINDER`."""

MAX_REMINDERS = 256
"""The most tool calls with pending reminders."""


class HookInjections:
    """Renders, keeps, and records the injections of one session. `home` is the folder that paths abbreviate."""

    def __init__(self, observer: Observer, cwd: PurePath, home: PurePath) -> None:
        self._observer = observer
        self._cwd = cwd
        self._home = home
        self._waiting: dict[str, dict[str, list[TriggerNotice]]] = {}
        """For calls without a result: their triggers, by the call on record."""

    def render(self, template: str, triggers: Iterable[TriggerNotice]) -> str:
        """Returns the text for the rules of these triggers, each once."""
        return render_triggers(template, triggers, self._cwd, self._home)

    def remind_later(self, call: str, triggers: Iterable[TriggerNotice]) -> None:
        """Keeps a reminder for the result of a call; a rule is in it once, however often it fired."""
        firsts = {trigger.rule.path: trigger for trigger in reversed(tuple(triggers))}
        by_call: dict[str, list[TriggerNotice]] = {}
        put_bounded(self._waiting, call, by_call, MAX_REMINDERS)
        for trigger in reversed(firsts.values()):
            by_call.setdefault(trigger.event.call or "", []).append(trigger)

    def remind(self, agent: str, call: str, notices: list[Notice], now: int) -> ContextAdded | Allowed:
        """Records and returns the reminder for a call. Call it before the call's result is recorded."""
        sent: list[str] = []
        rules: list[str] = []
        for call_on_record, triggers in self._waiting.pop(call, {}).items():
            text, injected = self.render(REMINDER, triggers), rule_refs_of(triggers)
            step = self._observer.step_of_pending_call(call_on_record) if call_on_record else None
            if step is None:
                is_recorded = self._inject(agent, InjectionKind.REMINDER, text, injected, notices, now)
            else:
                turn = self._observer.position(agent).turn
                names, paths = names_of(injected), paths_of(injected)
                event = ReminderFolded(turn, step, call_on_record, names, text, rule_paths=paths)
                is_recorded = self._record(event, notices, now)
            if is_recorded:
                sent.append(text)
                rules += rule_names_of(triggers)
        return ContextAdded("\n\n".join(sent), tuple(rules)) if sent else Allowed()

    def continue_with(
        self, agent: str, triggers: list[TriggerNotice], notices: list[Notice], now: int
    ) -> Continued | None:
        """Records and returns the text that makes the agent continue; None if it could not be recorded."""
        text = self.render(DEFERRED, triggers)
        is_recorded = self._inject(agent, InjectionKind.STOP_FEEDBACK, text, rule_refs_of(triggers), notices, now)
        return Continued(text, rule_names_of(triggers)) if is_recorded else None

    def _inject(
        self, agent: str, kind: InjectionKind, text: str, rules: tuple[RuleRef, ...], notices: list[Notice], now: int
    ) -> bool:
        try:
            position = self._observer.reserve_step()
        except LogWriteError:
            return False
        injection = Injection(agent, kind, Role.USER, text)
        event = InjectionCommitted(position.turn, position.step, injection, names_of(rules), rule_paths=paths_of(rules))
        return self._record(event, notices, now)

    def _record(self, event: TurnEvent, notices: list[Notice], now: int) -> bool:
        lost_count = self._observer.lost
        notices += self._observer.note(event, now)
        return self._observer.lost == lost_count
