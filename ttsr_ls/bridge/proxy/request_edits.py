"""Edits the request of one exchange for upstream, and records each edit before it is used."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from msgspec import Struct

from ttsr_ls.bridge.proxy.answer_matching import AnswerMatching
from ttsr_ls.bridge.proxy.ledger.anchors import Anchors
from ttsr_ls.bridge.proxy.ledger.entry import AnsweredEntry, LedgerEntry, NextEntry, PlainFormEntry, RetryEntry
from ttsr_ls.bridge.proxy.ledger.identity import Identity
from ttsr_ls.bridge.proxy.proxy_notices import ProtectionFailed
from ttsr_ls.bridge.proxy.proxy_session import ProxySession
from ttsr_ls.bridge.proxy.requests.conversation import Conversation
from ttsr_ls.bridge.proxy.requests.offered_tools import with_tools
from ttsr_ls.bridge.proxy.streams.stream_editor import SentPart, StreamEditor
from ttsr_ls.bridge.proxy.wires import ProxyWire
from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.turn import InjectionKind
from ttsr_ls.session.history.turn_events import FeatureRecorded
from ttsr_ls.session.hooks.feature_tools import FeatureTool
from ttsr_ls.session.lifecycle.rule_state import RuleRef, names_of
from ttsr_ls.store.log.errors import LogWriteError


class InjectedText(Struct, frozen=True):
    """A text for the model, and the rules that it injects. `records` are committed with it.

    `has_content`: the text may quote the conversation, so it is more than texts of rules.
    """

    kind: InjectionKind
    text: str
    rules: tuple[RuleRef, ...]
    records: tuple[FeatureRecorded, ...] = ()
    has_content: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the rules, each once."""
        return tuple(dict.fromkeys(names_of(self.rules)))


class RequestEdits:
    """Edits one request of `agent`, whose client sent `body`. `tools` are offered to the model beside the client's."""

    def __init__(
        self,
        session: ProxySession,
        wire: ProxyWire,
        body: bytes,
        conversation: Conversation,
        stream: StreamEditor,
        agent: str,
    ) -> None:
        self.agent = agent
        self.tools: tuple[FeatureTool, ...] = ()
        self._session = session
        self._wire = wire
        self._body = body
        self._conversation = conversation
        self._stream = stream
        self._echo: list[SentPart] = []
        """The parts of earlier attempts that the client has."""
        self._retries: tuple[str, ...] = ()
        """The ids of the retries that this answer follows."""
        self._recorded_parts: set[Identity] = set()
        self._is_plain = False

    @property
    def is_spliced(self) -> bool:
        """True if edits precede this answer and must be located by it in later requests."""
        return bool(self._retries)

    def upstream_body(self) -> bytes:
        """Returns the HTTP body for upstream: the client's request with all recorded edits."""
        requests = self._wire.requests
        body, conversation = self._body, self._conversation
        if self._echo:
            body = requests.append_answer(body, [part.echo for part in self._echo])
            conversation = requests.read(body)
        accepts_system = requests.accepts_system(conversation.model)
        requested = self._session.ledger.edits(self._wire.api.value, conversation, accepts_system=accepts_system)
        self._retries = requested.open_ids
        self._session.mark_inherited(self.agent, requested.inherited_rules)
        return with_tools(requests.apply_edits(body, requested.edits), self._wire.api, self.tools)

    def body_without_system_messages(self, now: int) -> bytes | None:
        """Returns the HTTP body with reminders as user messages, for an upstream that may have refused system messages.

        None if they are user messages already. The name of a model does not always say whether it accepts them.
        """
        ids = self._session.ledger.system_reminders()
        if not ids or self._is_plain:
            return None
        self._is_plain = True
        self.record(PlainFormEntry(ids), now)
        return self.upstream_body()

    def retry(
        self, injected_text: InjectedText, mode: ContextMode, answer_matching: AnswerMatching, attempt: int, now: int
    ) -> bytes:
        """Records that the attempt ends with an injection, and returns the HTTP body of the next one, number `attempt`.

        Raises LogWriteError.
        """
        session, parts = self._session, self._stream.sent_parts()
        # A request must not contain an answer that is thinking alone.
        is_kept = mode is ContextMode.KEEP and not all(part.identity.key.startswith("s:") for part in parts)
        as_system = self._wire.requests.accepts_system(self._conversation.model)
        entry = self._retry_entry(parts, injected_text.text, is_kept=is_kept, as_system=as_system)
        if injected_text.kind is InjectionKind.INTERRUPT:
            session.log.record_interrupt(self.agent, answer_matching.step, injected_text.names, mode, now)
        if mode is ContextMode.DISCARD or injected_text.kind is InjectionKind.INTERRUPT:
            answer_matching.end_interrupted_attempt(now)
        else:
            answer_matching.end_complete_attempt(now)
        self._inject(injected_text, entry, now)
        session.log.record_retry(self.agent, attempt - 1, now)
        self._echo += parts
        return self.upstream_body()

    def record_answered_calls(self, messages: str, answer_matching: AnswerMatching, now: int) -> bytes:
        """Records that `messages`, the model's answer with the results of its calls, replace the part of it that was
        sent to the client. Returns the HTTP body of the next request. Raises LogWriteError."""
        parts = self._stream.sent_parts()
        entry = self._retry_entry(parts, "", messages=messages)
        answer_matching.end_complete_attempt(now)
        self._session.log.record_entry(entry, now, has_content=True)
        self._echo += parts
        return self.upstream_body()

    def remind_before_answer(self, injected_text: InjectedText, now: int) -> None:
        """Records a reminder for the end of this request. Raises LogWriteError."""
        as_system = self._wire.requests.accepts_system(self._conversation.model)
        entry = self._retry_entry([], injected_text.text, as_system=as_system)
        self._inject(injected_text, entry, now)

    def inject_in_next_request(self, injected_text: InjectedText, parts: Iterable[SentPart], now: int) -> None:
        """Records a reminder for the end of the client's next request. `parts` identify the answer before it.

        Raises LogWriteError.
        """
        as_system = self._wire.requests.accepts_system(self._conversation.model)
        entry = NextEntry(
            secrets.token_hex(6),
            self._wire.api.value,
            Anchors(self._conversation).end,
            tuple(part.identity for part in parts),
            injected_text.text,
            as_system,
        )
        self._inject(injected_text, entry, now)

    def record_released_parts(self, now: int) -> None:
        """Records the ids of parts about to be released, by which later requests locate the edits of this answer."""
        if not self._retries:
            return
        new = tuple(part.identity for part in self._stream.sent_parts() if part.identity.is_strong)
        new = tuple(identity for identity in new if identity not in self._recorded_parts)
        if new:
            self._recorded_parts.update(new)
            self.record(AnsweredEntry(self._retries, new, is_complete=False), now)

    def record_complete_answer(self, parts: Iterable[SentPart], now: int) -> None:
        """Records the parts `parts` of a complete answer that is about to be released."""
        if self._retries:
            self.record(AnsweredEntry(self._retries, tuple(part.identity for part in parts), is_complete=True), now)

    def record(self, entry: LedgerEntry, now: int) -> None:
        """Records an entry of the ledger. Shows a failure to the user."""
        try:
            self._session.log.record_entry(entry, now)
        except LogWriteError as error:
            self._session.show(ProtectionFailed(f"An edit of the conversation could not be recorded: {error}."))

    def _inject(self, injected_text: InjectedText, entry: RetryEntry | NextEntry, now: int) -> None:
        self._session.log.record_injection(
            self.agent,
            injected_text.kind,
            injected_text.text,
            entry.as_system,
            injected_text.rules,
            entry,
            now,
            injected_text.records,
            has_content=injected_text.has_content,
        )

    def _retry_entry(
        self,
        parts: list[SentPart],
        reminder: str,
        *,
        is_kept: bool = False,
        as_system: bool = False,
        messages: str = "",
    ) -> RetryEntry:
        return RetryEntry(
            secrets.token_hex(6),
            self._wire.api.value,
            Anchors(self._conversation).end,
            tuple(part.identity for part in parts),
            is_kept,
            reminder,
            as_system,
            messages,
        )
