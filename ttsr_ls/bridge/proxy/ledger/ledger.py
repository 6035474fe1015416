"""Computes the edits of a conversation that make the model see what it saw in earlier requests. Pure.

Entries are located by content. The anchor of an entry is the conversation before the interrupted answer; where that was
compacted, the ids and signatures of the answer itself. A conversation with neither is another one, such as that of a
subagent, or no longer contains the answer.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.bridge.proxy.ledger.anchors import Anchors, continues_with
from ttsr_ls.bridge.proxy.ledger.entry import (
    AnsweredEntry,
    LedgerEntry,
    NextEntry,
    PlainFormEntry,
    RetryEntry,
    ToolEntry,
    ToolsOfferedEntry,
)
from ttsr_ls.bridge.proxy.ledger.identity import Identity
from ttsr_ls.bridge.proxy.requests.conversation import (
    Conversation,
    ConversationEdits,
    ConversationInsertion,
    InsertedMessages,
    InsertedReminder,
)
from ttsr_ls.put_bounded import put_bounded
from ttsr_ls.session.lifecycle.rule_state import RuleRef

MAX_ENTRIES = 10_000
"""Beyond it the oldest entries are dropped. Only a session of months has as many."""


class RecordedEntry(Struct, frozen=True):
    """An entry of a log, with the rules that were injected with it."""

    entry: LedgerEntry
    rules: tuple[RuleRef, ...] = ()


class RequestedEdits(Struct, frozen=True):
    """The edits of the conversation of a request.

    `open_ids` are those of the retries that the requested answer follows. `inherited_rules` were injected by another
    session, which this conversation continues, and their texts are in the edited conversation.
    """

    edits: ConversationEdits = ConversationEdits()
    open_ids: tuple[str, ...] = ()
    inherited_rules: tuple[RuleRef, ...] = ()


class _TrackedEntry(Struct):
    """An entry, with the known parts (`follow`) of the answer that came after the edit.

    `inherited_rules` are the rules that another session injected with the entry.
    """

    entry: RetryEntry | NextEntry
    is_own: bool
    inherited_rules: tuple[RuleRef, ...] = ()
    follow: frozenset[Identity] = frozenset()
    is_complete: bool = False


class Ledger:
    """The entries of one session, and those of earlier sessions in the same workspace."""

    def __init__(self) -> None:
        self._entries: dict[str, _TrackedEntry] = {}
        self._tools: dict[str, str] = {}
        self._inherited_by_call: dict[str, tuple[RuleRef, ...]] = {}
        self._roots: set[str] = set()
        self._offers_tools = False

    def __len__(self) -> int:
        return len(self._entries) + len(self._tools)

    def add_recorded(self, entries: Iterable[RecordedEntry], *, is_own: bool) -> None:
        """Adds recorded entries. Those of other sessions apply only to conversations that contain their answer."""
        for recorded in entries:
            self.add(recorded.entry, is_own=is_own, inherited_rules=() if is_own else recorded.rules)

    def add(self, entry: LedgerEntry, *, is_own: bool = True, inherited_rules: tuple[RuleRef, ...] = ()) -> None:
        """Adds a recorded entry. `inherited_rules` are the rules that another session injected with it."""
        match entry:
            case RetryEntry() | NextEntry():
                if entry.id in self._entries and self._entries[entry.id].is_own:
                    return  # Added before; shared entries include those of this process.
                put_bounded(self._entries, entry.id, _TrackedEntry(entry, is_own, inherited_rules), MAX_ENTRIES)
            case AnsweredEntry():
                for key in entry.ids:
                    tracked = self._entries.get(key)
                    if tracked is not None:
                        tracked.follow |= frozenset(entry.parts)
                        tracked.is_complete |= entry.is_complete
            case PlainFormEntry():
                for key in entry.ids:
                    if key in self._entries:
                        tracked = self._entries[key]
                        tracked.entry = replace(tracked.entry, as_system=False)
            case ToolEntry():
                before = self._tools.pop(entry.call, "")
                is_known = entry.reminder in before
                reminder = before if is_known else f"{before}\n\n{entry.reminder}".strip()
                put_bounded(self._tools, entry.call, reminder, MAX_ENTRIES)
                if inherited_rules:
                    inherited = (*self._inherited_by_call.pop(entry.call, ()), *inherited_rules)
                    put_bounded(self._inherited_by_call, entry.call, inherited, MAX_ENTRIES)
            case ToolsOfferedEntry():
                self._roots.add(entry.root)
                self._offers_tools |= is_own

    def has_offered_tools(self, root: str) -> bool:
        """Returns whether the tools of features were offered in the conversation, or in this session."""
        return self._offers_tools or root in self._roots

    def system_reminders(self) -> tuple[str, ...]:
        """The ids of the edits whose reminders are messages of the system."""
        return tuple(key for key, tracked in self._entries.items() if tracked.is_own and tracked.entry.as_system)

    def edits(self, api: str, conversation: Conversation, *, accepts_system: bool) -> RequestedEdits:
        """Returns the edits of a conversation.

        `accepts_system`: the model accepts system messages. The user may change the model during a session.
        """
        if not len(self):
            return RequestedEdits()
        anchors = Anchors(conversation)
        draft = _Draft(conversation, anchors, accepts_system)
        for tracked in self._entries.values():
            if tracked.entry.api != api:
                continue
            if isinstance(tracked.entry, RetryEntry):
                draft.retry(tracked.entry, tracked)
            else:
                draft.next(tracked.entry, tracked)
        for index, item in enumerate(conversation.items):
            if item.call in self._tools and item.call:
                draft.prefixed[index] = self._tools[item.call]
                draft.inherited_rules += self._inherited_by_call.get(item.call, ())
        inserted = {index: tuple(reminders) for index, reminders in draft.inserted.items()}
        edits = ConversationEdits(frozenset(draft.removed), draft.cut, inserted, draft.prefixed)
        return RequestedEdits(edits, tuple(draft.open_ids), tuple(dict.fromkeys(draft.inherited_rules)))


class _Draft:
    def __init__(self, conversation: Conversation, anchors: Anchors, accepts_system: bool) -> None:
        self._items = conversation.items
        self._accepts_system = accepts_system
        self._anchors = anchors
        self._cursors: dict[int, tuple[int, int]] = {}
        """For each answer, by its start: the end of the parts that earlier entries matched, as item and character."""
        self.removed: set[int] = set()
        self.cut: dict[int, int] = {}
        self.inserted: dict[int, list[ConversationInsertion]] = {}
        self.prefixed: dict[int, str] = {}
        self.open_ids: list[str] = []
        self.inherited_rules: list[RuleRef] = []

    def retry(self, entry: RetryEntry, tracked: _TrackedEntry) -> None:
        start = self._start(entry.anchor, (*entry.shown, *tracked.follow), tracked)
        if start is None:
            return
        index, character = self._cursors.get(start, (start, 0))
        parts_end = self._end_of_parts(entry.shown, index, character)
        if parts_end is not None:
            end, within = parts_end
            if not entry.is_kept:
                self.removed.update(range(index, end))
                if within:
                    self.cut[end] = within
                self._cursors[start] = parts_end
            elif within == 0:
                self._cursors[start] = parts_end
        position = self._cursors.get(start, (start, 0))[0]
        self.inserted.setdefault(position, []).extend(self._insertions(entry))
        self.inherited_rules += tracked.inherited_rules
        if self._anchors.end_of_answer(start) == len(self._items):
            self.open_ids.append(entry.id)

    def next(self, entry: NextEntry, tracked: _TrackedEntry) -> None:
        start = self._start(entry.anchor, entry.answer, tracked)
        if start is None:
            return
        answer_end = self._anchors.end_of_answer(start)
        if answer_end == start or answer_end == len(self._items):
            return
        position = self._anchors.after_results(answer_end)
        self.inserted.setdefault(position, []).extend(self._insertions(entry))
        self.inherited_rules += tracked.inherited_rules

    def _insertions(self, entry: RetryEntry | NextEntry) -> list[ConversationInsertion]:
        found: list[ConversationInsertion] = []
        if isinstance(entry, RetryEntry) and entry.messages:
            found.append(InsertedMessages(entry.messages))
        if entry.reminder:
            found.append(InsertedReminder(entry.reminder, entry.as_system and self._accepts_system))
        return found

    def _start(self, anchor: str, answer: Iterable[Identity], tracked: _TrackedEntry) -> int | None:
        """Returns the start of the answer that the entry is about; None if the conversation does not have it."""
        identities = frozenset(answer)
        at = self._anchors.index_of(anchor)
        if at is None or not tracked.is_own:
            position = self._anchors.find(identities)
            if position is not None or at is None:
                return position
            # A conversation without an answer is a new one with the same first prompt, not a resumed one.
            has_answer = any(item.is_model for item in self._items)
            return self._if_continued(at, identities, True) if has_answer else None
        return self._if_continued(at, identities, tracked.is_complete or isinstance(tracked.entry, NextEntry))

    def _if_continued(self, position: int, identities: frozenset[Identity], is_complete: bool) -> int | None:
        run = self._items[position : self._anchors.end_of_answer(position)]
        return position if continues_with(run, identities, is_complete=is_complete) else None

    def _end_of_parts(self, identities: Iterable[Identity], index: int, character: int) -> tuple[int, int] | None:
        """Returns the end of the parts `identities` that begin at an index; None if they are not there."""
        for identity in identities:
            if index >= len(self._items) or not self._items[index].is_model:
                return None
            item = self._items[index]
            part_end = self._anchors.end_of_part(item, identity, character)
            if part_end is None:
                return None
            index, character = (index + 1, 0) if part_end < 0 else (index, part_end)
        return index, character
