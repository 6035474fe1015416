"""The keys of a test file: one table for the reader, the JSON Schema, and the manual."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import Source


class ValueKind(Enum):
    """The type of a key's value."""

    TEXT = "a text"
    TEXTS = "a list of texts"
    NUMBER = "a whole number"


class CaseKey(Struct, frozen=True):
    """A key of a case. `values` are the permitted values; None if any value is permitted."""

    name: str
    kind: ValueKind
    documentation: str
    values: tuple[str, ...] | None = None


TEXT = CaseKey("text", ValueKind.TEXT, "What the agent says, or what its tool writes to the file.")
CHUNKS = CaseKey("chunks", ValueKind.TEXTS, "The same as `text`, in the parts in which it is streamed.")
NAME = CaseKey("name", ValueKind.TEXT, "What the case is about, for people and for `--filter`.")
SOURCE = CaseKey(
    "source", ValueKind.TEXT, "The stream that the text is. Without it, a stream that the rule's scope admits.",
    tuple(str(source) for source in Source),
)  # fmt: skip
TOOL = CaseKey("tool", ValueKind.TEXT, "The tool whose argument the text is; `edit` where only a path is given.")
PATH = CaseKey("path", ValueKind.TEXT, "The file that the tool writes.")
MATCHING = CaseKey(
    "matching", ValueKind.TEXT, "How the text is matched; the default is that of the rule's dialect.",
    tuple(str(matching) for matching in Matching),
)  # fmt: skip
CONDITION = CaseKey("condition", ValueKind.TEXT, "The condition that has to fire, as it stands in the rule.")
OFFSET = CaseKey("offset", ValueKind.NUMBER, "The number of characters that have arrived when the rule fires.")
LINE = CaseKey("line", ValueKind.NUMBER, "The line of the text, counted from 1, on which the match begins.")

DEFAULTS = "defaults"
STREAM_KEYS = (SOURCE, TOOL, PATH, MATCHING)
"""The keys of `defaults`, which hold for every case that does not say otherwise."""
EXPECTED_KEYS = (CONDITION, OFFSET, LINE)
VALID_KEYS = (TEXT, CHUNKS, NAME, *STREAM_KEYS)
INVALID_KEYS = (*VALID_KEYS, *EXPECTED_KEYS)
