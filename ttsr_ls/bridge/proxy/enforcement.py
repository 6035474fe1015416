"""What is done about triggers in one exchange: each decision is on record before it has an effect."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from ttsr_ls.bridge.proxy.answer_matching import AnswerMatching
from ttsr_ls.bridge.proxy.ledger.anchors import Anchors
from ttsr_ls.bridge.proxy.ledger.entry import AnsweredEntry, NextEntry, PlainFormEntry, RetryEntry
from ttsr_ls.bridge.proxy.ledger.identity import Identity
from ttsr_ls.bridge.proxy.proxy_notices import AnswerEndedEarly, AnswerRetried, ProtectionFailed, ReminderAdded
from ttsr_ls.bridge.proxy.proxy_session import ProxySession, names_of
from ttsr_ls.bridge.proxy.requests.conversation import Conversation
from ttsr_ls.bridge.proxy.streams.stream_editor import ShownPart, StreamEditor
from ttsr_ls.bridge.proxy.wires import ProxyWire
from ttsr_ls.bridge.watch.notices import TriggerNotice
from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn import InjectionKind
from ttsr_ls.session.lifecycle.templates import DEFERRED, INTERRUPT
from ttsr_ls.store.log.errors import LogWriteError


class Enforcement:
    """Decides for one exchange. `body` is as the client sent it."""

    def __init__(
        self, session: ProxySession, wire: ProxyWire, body: bytes, conversation: Conversation, stream: StreamEditor
    ) -> None:
        self.agent = ""
        self._session = session
        self._wire = wire
        self._body = body
        self._conversation = conversation
        self._stream = stream
        self._echo: list[ShownPart] = []
        """What the client has of the attempts that ended."""
        self._retries: tuple[str, ...] = ()
        self._noted: set[Identity] = set()
        self._attempt = 1
        self._is_plain = False
        self._deferred: list[TriggerNotice] = []

    @property
    def is_spliced(self) -> bool:
        """Whether the answer follows edits that have to find it again."""
        return bool(self._retries)

    def upstream_body(self) -> bytes:
        """The request as upstream gets it: with all that the client does not know of."""
        requests = self._wire.requests
        body, conversation = self._body, self._conversation
        if self._echo:
            body = requests.with_echo(body, [part.echo for part in self._echo])
            conversation = requests.read(body)
        takes_system = requests.accepts_system(conversation.model)
        edits, self._retries = self._session.ledger.edits(self._wire.api.value, conversation, takes_system=takes_system)
        return requests.edited(body, edits)

    def in_plain_form(self, now: int) -> bytes | None:
        """The request with reminders as text of the user, where upstream may have refused another form of them.

        None where they have that form already. Names of models need not tell what a model takes.
        """
        ids = self._session.ledger.system_reminders()
        if not ids or self._is_plain:
            return None
        self._is_plain = True
        self._note(PlainFormEntry(ids), now)
        return self.upstream_body()

    def keeps(self, triggers: list[TriggerNotice]) -> bool:
        """Whether the answer that these triggers interrupt stays in the model's context."""
        return self._wire.can_keep and self._session.context_mode(triggers) is ContextMode.KEEP

    def retry(self, triggers: list[TriggerNotice], matching: AnswerMatching, now: int) -> bytes | None:
        """Commits that the answer is interrupted: the body of the next request. None: it is not interrupted."""
        rules = names_of(triggers)
        if not self._session.may_retry(rules):
            self._degrade(triggers, rules)
            return None
        mode = ContextMode.KEEP if self.keeps(triggers) else ContextMode.DISCARD
        return self._again(triggers, INTERRUPT, mode, matching, now)

    def remind(self, triggers: list[TriggerNotice]) -> None:
        """The rules do not interrupt: they are injected with the result of the call, or after the answer."""
        for trigger in triggers:
            if trigger.event.source is Source.TOOL and trigger.event.call and self._wire.has_call_ids:
                self._session.remind_in_result(trigger.event.call, [trigger])
            else:
                self._deferred.append(trigger)

    def end_early(self, triggers: list[TriggerNotice], now: int) -> bool:
        """Commits that the answer ends here, with a reminder behind the results of its calls; False: it does not."""
        rules = names_of(triggers)
        if not self._session.may_retry(rules):
            self._degrade(triggers, rules)
            return False
        if not self._inject_next(triggers, INTERRUPT, InjectionKind.INTERRUPT, self._stream.shown(), now):
            return False
        self._session.show(AnswerEndedEarly(rules, triggers[0].event.excerpt.text))
        return True

    def complete(self, matching: AnswerMatching, now: int) -> bytes | None:
        """All parts of the answer are complete: the body of a further request, or None where there is none to make."""
        triggers, self._deferred = self._deferred, []
        can_continue = self._wire.can_keep and not matching.calls and bool(self._stream.shown())
        if triggers and can_continue and self._session.may_retry(names_of(triggers)):
            return self._again(triggers, DEFERRED, ContextMode.KEEP, matching, now)
        self._deferred = triggers
        return None

    def completed(self, shown: list[ShownPart], now: int) -> None:
        """The whole answer is about to be released; `shown` are its parts."""
        triggers, self._deferred = self._deferred, []
        if self._retries:
            self._note(AnsweredEntry(self._retries, tuple(part.identity for part in shown), is_complete=True), now)
        if triggers and self._inject_next(triggers, DEFERRED, InjectionKind.REMINDER, shown, now):
            self._session.show(ReminderAdded(names_of(triggers), is_degraded=False))

    def note_shown(self, now: int) -> None:
        """Parts of the answer are about to be released: by their ids, edits are found again if the rest is lost."""
        if not self._retries:
            return
        new = tuple(each.identity for each in self._stream.shown() if each.identity.is_strong)
        new = tuple(identity for identity in new if identity not in self._noted)
        if new:
            self._noted.update(new)
            self._note(AnsweredEntry(self._retries, new, is_complete=False), now)

    def _again(
        self, triggers: list[TriggerNotice], template: str, mode: ContextMode, matching: AnswerMatching, now: int
    ) -> bytes | None:
        session, rules = self._session, names_of(triggers)
        shown = self._stream.shown()
        # Thinking alone is no answer that a request may hold.
        is_kept = mode is ContextMode.KEEP and not all(part.identity.key.startswith("s:") for part in shown)
        text = session.text_for(template, [*self._deferred, *triggers])
        rules = tuple(dict.fromkeys((*names_of(self._deferred), *rules)))
        requests = self._wire.requests
        entry = RetryEntry(
            secrets.token_hex(6),
            self._wire.api.value,
            Anchors(self._conversation).end,
            tuple(part.identity for part in shown),
            is_kept,
            text,
            requests.accepts_system(self._conversation.model),
        )
        is_interrupted = template is INTERRUPT
        kind = InjectionKind.INTERRUPT if is_interrupted else InjectionKind.REMINDER
        self._attempt += 1
        try:
            if is_interrupted:
                session.log.interrupted(self.agent, matching.step, rules, mode, now)
                matching.interrupt(now)
            else:
                matching.complete(now)
            session.log.injected(self.agent, kind, text, entry.as_system, rules, entry, now)
            session.log.retried(self.agent, self._attempt - 1, now)
        except LogWriteError as error:
            self._failed(rules, error)
            return None
        self._deferred = []
        self._echo += shown
        session.show(AnswerRetried(rules, self._attempt, triggers[0].event.excerpt.text))
        return self.upstream_body()

    def _inject_next(
        self, triggers: list[TriggerNotice], template: str, kind: InjectionKind, shown: Iterable[ShownPart], now: int
    ) -> bool:
        rules = names_of(triggers)
        text = self._session.text_for(template, triggers)
        entry = NextEntry(
            secrets.token_hex(6),
            self._wire.api.value,
            Anchors(self._conversation).end,
            tuple(part.identity for part in shown),
            text,
            self._wire.requests.accepts_system(self._conversation.model),
        )
        try:
            self._session.log.injected(self.agent, kind, text, entry.as_system, rules, entry, now)
        except LogWriteError as error:
            self._failed(rules, error)
            return False
        return True

    def _degrade(self, triggers: list[TriggerNotice], rules: tuple[str, ...]) -> None:
        self._session.show(ReminderAdded(rules, is_degraded=True))
        self.remind(triggers)

    def _note(self, entry: AnsweredEntry | PlainFormEntry, now: int) -> None:
        try:
            self._session.log.noted(entry, now)
        except LogWriteError as error:
            self._session.show(ProtectionFailed(f"An edit of the conversation could not be recorded: {error}."))

    def _failed(self, rules: tuple[str, ...], error: LogWriteError) -> None:
        self._session.show(ProtectionFailed(f"{', '.join(rules)} fired and was not enforced, because {error}."))
