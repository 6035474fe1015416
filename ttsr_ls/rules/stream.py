"""The input of the monitor: deltas, snapshots and block ends, each with its context."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from ttsr_ls.rules.rule import Rule  # Scopes of rules need this module.


class Source(StrEnum):
    """The three kinds of streams of an agent's output (spec S5)."""

    TEXT = "text"
    THINKING = "thinking"
    TOOL = "tool"


class Payload(StrEnum):
    """The kind of text in a tool call's stream."""

    ARGUMENTS = "arguments"
    """The JSON text of its arguments."""
    WRITTEN = "written"
    """What it writes to a file, decoded: only that is parsed for AST conditions (spec A1)."""


class StreamContext(Struct, frozen=True, gc=False):
    """The stream that a chunk of output belongs to.

    `key` names its buffer (spec M1): `toolcall:<id>` for a tool call, with `#<path>` for one file of it; None for text
    and thinking. `paths` are the candidate paths of a tool call as known so far, each in all forms on which globs are
    matched (spec G4); they may become known only in mid-stream.
    """

    source: Source
    tool: str | None = None
    paths: tuple[str, ...] = ()
    key: str | None = None
    payload: Payload = Payload.ARGUMENTS

    @property
    def tool_name(self) -> str | None:
        """The name of the tool in scopes: trimmed and in lower case, None if empty."""
        return (self.tool or "").strip().lower() or None


def stream_key(context: StreamContext) -> str:
    """Returns the name of the buffer for a context's text (spec M1)."""
    if context.key is not None and context.key.strip():
        return context.key
    if context.source is not Source.TOOL:
        return context.source.value
    return "tool" if context.tool_name is None else f"tool:{context.tool_name}"


class Delta(Struct, frozen=True, gc=False):
    """Text that is appended to a stream."""

    context: StreamContext
    text: str


class Snapshot(Struct, frozen=True, gc=False):
    """The whole text of a stream so far, which replaces the earlier text (spec M3)."""

    context: StreamContext
    text: str


class BlockEnd(Struct, frozen=True, gc=False):
    """The end of a stream: its text block, thinking block or tool call is complete."""

    context: StreamContext


StreamEvent = Delta | Snapshot | BlockEnd


class Excerpt(Struct, frozen=True, tag=True, tag_field="kind", gc=False):
    """The matched text with some context: the match is `text[start:end]` (code points).

    It is written to session logs, so a new field needs a default.
    """

    text: str
    start: int
    end: int


class Trigger(Struct, frozen=True):
    """A rule that fired, with the position.

    `offset` is the length, in code points, of the prefix of the stream on which it fired: in `stable` matching the
    shortest one on which the match is final, in `reference` matching the buffer at the end of the delta. `start` and
    `end` delimit the match in the stream's text, in code points; `excerpt` has the match with some text before it, at
    most 200 characters. `condition` is the index of the first condition that matched, into the rule's
    `condition_texts`.
    """

    rule: Rule
    context: StreamContext
    condition: int
    start: int
    end: int
    offset: int
    excerpt: Excerpt
    interrupts: bool
