"""Records injections and edits of the conversation in the session log before they take effect."""

from __future__ import annotations

from collections.abc import Iterable

from ttsr_ls.bridge.proxy.ledger.entry import LedgerEntry, to_record
from ttsr_ls.bridge.proxy.ledger.ledger import Ledger
from ttsr_ls.bridge.proxy.ledger.shared_entry import SharedEntries, SharedEntry
from ttsr_ls.bridge.watch.observer import Observer
from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import Injection, InjectionKind, InterruptedByRules, Interruption
from ttsr_ls.session.history.turn_events import (
    FeatureRecorded,
    InjectionCommitted,
    OutputInterrupted,
    ReminderFolded,
    RetryStarted,
    TurnEvent,
)
from ttsr_ls.session.lifecycle.rule_state import RuleRef, names_of, paths_of, recorded_rules


class EnforcementLog:
    """Writes records through the observer of a session, which numbers its turns. All methods raise LogWriteError.

    Without `keeps_content`, entries with texts of the conversation are kept only in memory.
    """

    def __init__(
        self, observer: Observer, ledger: Ledger, shared: SharedEntries | None = None, *, keeps_content: bool = True
    ) -> None:
        self._keeps_content = keeps_content
        self._observer = observer
        self._ledger = ledger
        self._shared = shared

    def read_shared_entries(self) -> None:
        """Reads the entries that other processes recorded for this session. Raises LogWriteError."""
        if self._shared is None:
            return
        for shared in self._shared.read():
            self._ledger.add(shared.entry)
            if shared.rules:
                self._observer.mark_injected(recorded_rules(shared.rules, shared.rule_paths), shared.agent)

    def _share(self, entry: LedgerEntry, rules: tuple[RuleRef, ...], agent: str) -> None:
        if self._shared is not None:
            self._shared.append(SharedEntry(entry, names_of(rules), agent, paths_of(rules)))

    def record_interrupt(self, agent: str, answer: int, rules: tuple[str, ...], mode: ContextMode, now: int) -> None:
        """Records that the answer with step number `answer` is about to be interrupted."""
        position = self._observer.reserve_step()
        cause = InterruptedByRules(rules)
        self._observer.commit(
            OutputInterrupted(position.turn, position.step, Interruption(agent, answer, cause, mode)), now
        )

    def record_injection(
        self, agent: str, kind: InjectionKind, text: str, as_system: bool, rules: tuple[RuleRef, ...],
        entry: LedgerEntry, now: int, records: tuple[FeatureRecorded, ...] = (), *, has_content: bool = False,
    ) -> None:  # fmt: skip
        """Records the injection `text`, the edit `entry` that sends it, and the `records` of features."""
        position = self._observer.reserve_step()
        injection = Injection(agent, kind, Role.SYSTEM if as_system else Role.USER, text)
        records = (*self._records(entry, has_content), *records)
        names, paths = names_of(rules), paths_of(rules)
        event = InjectionCommitted(position.turn, position.step, injection, names, records, paths)
        self._commit(event, entry, agent, rules, now)

    def record_retry(self, agent: str, attempt: int, now: int) -> None:
        """Records that the request is about to be retried, for the `attempt`th time."""
        position = self._observer.reserve_step()
        self._observer.commit(RetryStarted(position.turn, position.step, agent, attempt), now)

    def record_reminder_in_result(
        self, agent: str, call_id: str, text: str, rules: tuple[RuleRef, ...], entry: LedgerEntry, now: int,
        *, has_content: bool = False,
    ) -> None:  # fmt: skip
        """Records that a reminder is about to be sent with the result of a tool call."""
        step = self._observer.step_of_pending_call(call_id)
        if step is None:
            kind = InjectionKind.REMINDER
            self.record_injection(agent, kind, text, False, rules, entry, now, has_content=has_content)
            return
        turn = self._observer.position(agent).turn
        records, names, paths = self._records(entry, has_content), names_of(rules), paths_of(rules)
        event = ReminderFolded(turn, step, call_id, names, text, records, paths)
        self._commit(event, entry, agent, rules, now)

    def _commit(self, event: TurnEvent, entry: LedgerEntry, agent: str, rules: tuple[RuleRef, ...], now: int) -> None:
        self._share(entry, rules, agent)
        self._observer.commit(event, now)
        self._ledger.add(entry)
        self._observer.mark_injected(rules, agent)

    def record_entry(self, entry: LedgerEntry, now: int, *, has_content: bool = False) -> None:
        """Records an entry about edits that belongs to no injection."""
        self._share(entry, (), "")
        for record in self._records(entry, has_content):
            self._observer.commit(record, now)
        self._ledger.add(entry)

    def _records(self, entry: LedgerEntry, has_content: bool) -> tuple[FeatureRecorded, ...]:
        return (to_record(entry),) if self._keeps_content or not has_content else ()

    def record_feature_events(self, records: Iterable[FeatureRecorded], now: int) -> None:
        """Records events of features, which are replayed when the session is resumed."""
        for record in records:
            self._observer.commit(record, now)
