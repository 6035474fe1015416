"""Decides what follows from triggers in one exchange. Each decision is recorded before it takes effect."""

from __future__ import annotations

from msgspec.structs import replace

from ttsr_ls.bridge.proxy.answer_matching import AnswerMatching
from ttsr_ls.bridge.proxy.proxy_notices import AnswerEndedEarly, AnswerRetried, ProtectionFailed, ReminderAdded
from ttsr_ls.bridge.proxy.proxy_session import ProxySession
from ttsr_ls.bridge.proxy.request_edits import InjectedText, RequestEdits
from ttsr_ls.bridge.proxy.streams.stream_editor import SentPart, StreamEditor
from ttsr_ls.bridge.proxy.wires import ProxyWire
from ttsr_ls.bridge.watch.notices import TriggerNotice
from ttsr_ls.bridge.watch.trigger_texts import rule_names_of, rule_refs_of
from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn import InjectionKind
from ttsr_ls.session.lifecycle.templates import DEFERRED, INTERRUPT
from ttsr_ls.store.log.errors import LogWriteError


class Enforcement:
    """Acts on the triggers of one exchange; `edits` holds the edits of its request."""

    def __init__(self, session: ProxySession, wire: ProxyWire, edits: RequestEdits, stream: StreamEditor) -> None:
        self._session = session
        self._wire = wire
        self._edits = edits
        self._stream = stream
        self._deferred: list[TriggerNotice] = []

    def keeps_answer(self, triggers: list[TriggerNotice]) -> bool:
        """Returns whether the answer that these triggers interrupt stays in the model's context."""
        return self._wire.can_keep and self._session.context_mode(triggers) is ContextMode.KEEP

    def retry(
        self, triggers: list[TriggerNotice], answer_matching: AnswerMatching, now: int, text: str = ""
    ) -> bytes | None:
        """Records the interrupt and returns the HTTP body of the retry, with the rules injected. None: no interrupt.

        `text` is a further text to inject.
        """
        if not self._session.may_retry(self._edits.agent, rule_refs_of(triggers)):
            self._degrade(triggers)
            return None
        mode = ContextMode.KEEP if self.keeps_answer(triggers) else ContextMode.DISCARD
        return self._repeat_request(triggers, InjectionKind.INTERRUPT, mode, answer_matching, now, text)

    def remind(self, triggers: list[TriggerNotice]) -> None:
        """Schedules rules that do not interrupt: injects them with the result of the call, or after the answer."""
        for trigger in triggers:
            if trigger.event.source is Source.TOOL and trigger.event.call and self._wire.has_call_ids:
                self._session.schedule_reminder_in_result(trigger.event.call, [trigger])
            else:
                self._deferred.append(trigger)

    def end_early(self, triggers: list[TriggerNotice], now: int) -> bool:
        """Records that the answer ends here and a reminder follows the results of its calls.

        False: the answer continues.
        """
        if not self._session.may_retry(self._edits.agent, rule_refs_of(triggers)):
            self._degrade(triggers)
            return False
        if not self._inject_next(triggers, InjectionKind.INTERRUPT, self._stream.sent_parts(), now):
            return False
        self._session.show(AnswerEndedEarly(rule_names_of(triggers), triggers[0].event.excerpt.text))
        return True

    def complete(self, answer_matching: AnswerMatching, now: int) -> bytes | None:
        """Handles the end of the answer: returns the HTTP body of a further request, None if none is needed."""
        triggers, self._deferred = self._deferred, []
        can_continue = self._wire.can_keep and not answer_matching.calls and bool(self._stream.sent_parts())
        if triggers and can_continue and self._session.may_retry(self._edits.agent, rule_refs_of(triggers)):
            return self._repeat_request(triggers, InjectionKind.REMINDER, ContextMode.KEEP, answer_matching, now)
        self._deferred = triggers
        return None

    def record_complete(self, parts: list[SentPart], now: int) -> None:
        """Records the parts `parts` of a complete answer, and a reminder of pending rules, before the release."""
        triggers, self._deferred = self._deferred, []
        self._edits.record_complete_answer(parts, now)
        if triggers and self._inject_next(triggers, InjectionKind.REMINDER, parts, now):
            self._session.show(ReminderAdded(rule_names_of(triggers), is_degraded=False))

    def _repeat_request(
        self,
        triggers: list[TriggerNotice],
        kind: InjectionKind,
        mode: ContextMode,
        answer_matching: AnswerMatching,
        now: int,
        text: str = "",
    ) -> bytes | None:
        injected_text = self._build_text(kind, [*self._deferred, *triggers])
        if text:
            injected_text = replace(injected_text, text=f"{injected_text.text}\n\n{text}", has_content=True)
        attempt = self._stream.attempt + 2
        try:
            body = self._edits.retry(injected_text, mode, answer_matching, attempt, now)
        except LogWriteError as error:
            self._show_failure(injected_text.names, error)
            return None
        self._deferred = []
        self._session.show(AnswerRetried(injected_text.names, attempt, triggers[0].event.excerpt.text))
        return body

    def _inject_next(self, triggers: list[TriggerNotice], kind: InjectionKind, parts: list[SentPart], now: int) -> bool:
        injected_text = self._build_text(kind, triggers)
        try:
            self._edits.inject_in_next_request(injected_text, parts, now)
        except LogWriteError as error:
            self._show_failure(injected_text.names, error)
            return False
        return True

    def _build_text(self, kind: InjectionKind, triggers: list[TriggerNotice]) -> InjectedText:
        template = INTERRUPT if kind is InjectionKind.INTERRUPT else DEFERRED
        return InjectedText(kind, self._session.render_text(template, triggers), rule_refs_of(triggers))

    def _degrade(self, triggers: list[TriggerNotice]) -> None:
        self._session.show(ReminderAdded(rule_names_of(triggers), is_degraded=True))
        self.remind(triggers)

    def _show_failure(self, rules: tuple[str, ...], error: LogWriteError) -> None:
        self._session.show(ProtectionFailed(f"{', '.join(rules)} fired and was not enforced, because {error}."))
