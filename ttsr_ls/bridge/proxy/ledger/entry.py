"""The records in the session log about edits of the conversation.

Holds no content but the reminder itself, and the answers whose tool calls the proxy answered.

What is added later needs a default: logs outlive versions.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from ttsr_ls.bridge.proxy.ledger.identity import Identity
from ttsr_ls.session.history.turn_events import FeatureRecorded
from ttsr_ls.typed_values import json_decoder

FEATURE = "proxy"
"""The name under which entries are in session logs."""


class RetryEntry(Struct, frozen=True, tag="retry"):
    """An answer was interrupted, and the request was made again with a reminder.

    `anchor` is the digest of the client's conversation before the answer. `shown` are the parts of the interrupted
    answer that the client has: the model sees them (`is_kept`) before the reminder, or not at all. `messages`, a JSON
    list where there are any, stand in front of the reminder: the answer itself with the results of its tool calls,
    which the client has not. A blank reminder is none.
    """

    id: str
    api: str
    anchor: str
    shown: tuple[Identity, ...]
    is_kept: bool
    reminder: str
    as_system: bool
    messages: str = ""


class AnsweredEntry(Struct, frozen=True, tag="answered"):
    """The parts of an answer that were sent to the client after the edits `ids`.

    Later requests locate the edits by them.
    """

    ids: tuple[str, ...]
    parts: tuple[Identity, ...]
    is_complete: bool


class NextEntry(Struct, frozen=True, tag="next"):
    """A reminder behind what the client sends after an answer; `answer` are parts of that answer."""

    id: str
    api: str
    anchor: str
    answer: tuple[Identity, ...]
    reminder: str
    as_system: bool


class PlainFormEntry(Struct, frozen=True, tag="plain-form"):
    """Upstream refused the reminders of the edits `ids` as messages of the system: they are text of the user."""

    ids: tuple[str, ...]


class ToolEntry(Struct, frozen=True, tag="tool"):
    """A reminder in front of the result of the tool call `call`."""

    call: str
    reminder: str


class ToolsOfferedEntry(Struct, frozen=True, tag="tools"):
    """The tools of features are offered in the conversation whose first message has the digest `root`."""

    root: str


LedgerEntry = RetryEntry | AnsweredEntry | NextEntry | PlainFormEntry | ToolEntry | ToolsOfferedEntry

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[LedgerEntry] = json_decoder(LedgerEntry)


def to_record(entry: LedgerEntry) -> FeatureRecorded:
    """The event that has the entry."""
    return FeatureRecorded(FEATURE, _ENCODER.encode(entry).decode())


def from_record(record: FeatureRecorded) -> LedgerEntry | None:
    """The entry of an event; None where it is not of the proxy, or of a later version."""
    if record.feature != FEATURE:
        return None
    try:
        return _DECODER.decode(record.content)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None
