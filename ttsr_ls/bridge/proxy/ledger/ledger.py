"""Computes the edits of a conversation that make the model see what it saw in earlier requests. Pure.

Entries are found by content. The anchor of an entry is the conversation before the interrupted answer; where that was
compacted, the ids and signatures of the answer itself. A conversation that has neither is another one, such as that of
a subagent, or does not have the answer any more.
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

MAX_ENTRIES = 10_000
"""Entries beyond it push out the oldest. Only a session of months has as many."""


class _Known(Struct):
    """An entry, with what is known of the answer that followed."""

    entry: RetryEntry | NextEntry
    is_own: bool
    follow: frozenset[Identity] = frozenset()
    is_complete: bool = False


class Ledger:
    """The entries of one session, and those of earlier sessions in the same workspace."""

    def __init__(self) -> None:
        self._entries: dict[str, _Known] = {}
        self._tools: dict[str, str] = {}
        self._roots: set[str] = set()
        self._offers_tools = False

    def __len__(self) -> int:
        return len(self._entries) + len(self._tools)

    def add_recorded(self, entries: Iterable[LedgerEntry], *, is_own: bool) -> None:
        """Adds recorded entries. Those of other sessions apply only to conversations that contain their answer."""
        for entry in entries:
            self.add(entry, is_own=is_own)

    def add(self, entry: LedgerEntry, *, is_own: bool = True) -> None:
        """Adds a recorded entry."""
        match entry:
            case RetryEntry() | NextEntry():
                if entry.id in self._entries and self._entries[entry.id].is_own:
                    return  # Another process, or this one, told of it before.
                put_bounded(self._entries, entry.id, _Known(entry, is_own), MAX_ENTRIES)
            case AnsweredEntry():
                for key in entry.ids:
                    known = self._entries.get(key)
                    if known is not None:
                        known.follow |= frozenset(entry.parts)
                        known.is_complete |= entry.is_complete
            case PlainFormEntry():
                for key in entry.ids:
                    if key in self._entries:
                        known = self._entries[key]
                        known.entry = replace(known.entry, as_system=False)
            case ToolEntry():
                before = self._tools.pop(entry.call, "")
                is_known = entry.reminder in before
                reminder = before if is_known else f"{before}\n\n{entry.reminder}".strip()
                put_bounded(self._tools, entry.call, reminder, MAX_ENTRIES)
            case ToolsOfferedEntry():
                self._roots.add(entry.root)
                self._offers_tools |= is_own

    def has_offered_tools(self, root: str) -> bool:
        """Returns whether the tools of features were offered in the conversation, or in this session."""
        return self._offers_tools or root in self._roots

    def system_reminders(self) -> tuple[str, ...]:
        """The ids of the edits whose reminders are messages of the system."""
        return tuple(key for key, known in self._entries.items() if known.is_own and known.entry.as_system)

    def edits(
        self, api: str, conversation: Conversation, *, takes_system: bool
    ) -> tuple[ConversationEdits, tuple[str, ...]]:
        """The edits of a conversation, and the ids of the retries that its last answer, still to come, belongs to.

        `takes_system`: the model takes messages of the system. A person may change the model during a session.
        """
        if not len(self):
            return ConversationEdits(), ()
        anchors = Anchors(conversation)
        draft = _Draft(conversation, anchors, takes_system)
        for known in self._entries.values():
            if known.entry.api != api:
                continue
            if isinstance(known.entry, RetryEntry):
                draft.retry(known.entry, known)
            else:
                draft.next(known.entry, known)
        for place, item in enumerate(conversation.items):
            if item.call in self._tools and item.call:
                draft.prefixed[place] = self._tools[item.call]
        inserted = {place: tuple(reminders) for place, reminders in draft.inserted.items()}
        return ConversationEdits(frozenset(draft.removed), draft.cut, inserted, draft.prefixed), tuple(draft.open_ids)


class _Draft:
    def __init__(self, conversation: Conversation, anchors: Anchors, takes_system: bool) -> None:
        self._items = conversation.items
        self._takes_system = takes_system
        self._anchors = anchors
        self._cursors: dict[int, tuple[int, int]] = {}
        """By the place of an answer: how far earlier entries took it, as item and character."""
        self.removed: set[int] = set()
        self.cut: dict[int, int] = {}
        self.inserted: dict[int, list[ConversationInsertion]] = {}
        self.prefixed: dict[int, str] = {}
        self.open_ids: list[str] = []

    def retry(self, entry: RetryEntry, known: _Known) -> None:
        start = self._start(entry.anchor, (*entry.shown, *known.follow), known)
        if start is None:
            return
        place, character = self._cursors.get(start, (start, 0))
        taken = self._take(entry.shown, place, character)
        if taken is not None:
            end, within = taken
            if not entry.is_kept:
                self.removed.update(range(place, end))
                if within:
                    self.cut[end] = within
                self._cursors[start] = taken
            elif within == 0:
                self._cursors[start] = taken
        position = self._cursors.get(start, (start, 0))[0]
        self.inserted.setdefault(position, []).extend(self._insertions(entry))
        if self._anchors.end_of_answer(start) == len(self._items):
            self.open_ids.append(entry.id)

    def next(self, entry: NextEntry, known: _Known) -> None:
        start = self._start(entry.anchor, entry.answer, known)
        if start is None:
            return
        answer_end = self._anchors.end_of_answer(start)
        if answer_end == start or answer_end == len(self._items):
            return
        position = self._anchors.behind_results(answer_end)
        self.inserted.setdefault(position, []).extend(self._insertions(entry))

    def _insertions(self, entry: RetryEntry | NextEntry) -> list[ConversationInsertion]:
        found: list[ConversationInsertion] = []
        if isinstance(entry, RetryEntry) and entry.messages:
            found.append(InsertedMessages(entry.messages))
        if entry.reminder:
            found.append(InsertedReminder(entry.reminder, entry.as_system and self._takes_system))
        return found

    def _start(self, anchor: str, answer: Iterable[Identity], known: _Known) -> int | None:
        """The place of the answer that the entry is about; None where the conversation does not have it."""
        identities = frozenset(answer)
        at = self._anchors.place(anchor)
        if at is None or not known.is_own:
            position = self._anchors.find(identities)
            if position is not None or at is None:
                return position
            # A conversation without an answer is a new one that begins with the same prompt, not an earlier one.
            has_answer = any(item.is_model for item in self._items)
            return self._if_continued(at, identities, True) if has_answer else None
        return self._if_continued(at, identities, known.is_complete or isinstance(known.entry, NextEntry))

    def _if_continued(self, position: int, identities: frozenset[Identity], is_complete: bool) -> int | None:
        run = self._items[position : self._anchors.end_of_answer(position)]
        return position if continues_with(run, identities, is_complete=is_complete) else None

    def _take(self, identities: Iterable[Identity], place: int, character: int) -> tuple[int, int] | None:
        """Returns the end of the parts `identities` that begin at a place; None if they are not there."""
        for identity in identities:
            if place >= len(self._items) or not self._items[place].is_model:
                return None
            item = self._items[place]
            step = self._anchors.step(item, identity, character)
            if step is None:
                return None
            place, character = (place + 1, 0) if step < 0 else (place, step)
        return place, character
