"""The records in the session log about edits of the conversation.

Holds no content but the reminder itself, and the answers whose tool calls the proxy answered.

A field that is added later needs a default, because logs of earlier versions are read.
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
    answer that the client has. The model gets them before the reminder if `is_kept`, otherwise not. `messages`, a JSON
    list or blank, precede the reminder: the answer with the results of the tool calls that the proxy answered, which
    the client does not have. `reminder` is blank if there is none.
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
    """A reminder at the end of the client's first request after an answer; `answer` are parts of that answer."""

    id: str
    api: str
    anchor: str
    answer: tuple[Identity, ...]
    reminder: str
    as_system: bool


class PlainFormEntry(Struct, frozen=True, tag="plain-form"):
    """Upstream refused the reminders of the edits `ids` as system messages; they are sent as text of the user."""

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
    """Returns the log event that holds the entry."""
    return FeatureRecorded(FEATURE, _ENCODER.encode(entry).decode())


def from_record(record: FeatureRecorded) -> LedgerEntry | None:
    """Returns the entry in an event; None if another feature, or a later version, wrote it."""
    if record.feature != FEATURE:
        return None
    try:
        return _DECODER.decode(record.content)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None
