"""The role of a frame in an answer, in the same terms for all APIs."""

from __future__ import annotations

from collections.abc import Hashable
from enum import Enum

from msgspec import Struct


class FrameKind(Enum):
    """The effect of a frame on the answer."""

    HEAD = "head"
    """Begins the answer; released at once."""
    OPEN = "open"
    """Begins a part, without content."""
    DELTA = "delta"
    """More of a part."""
    CLOSE = "close"
    """Ends a part."""
    FINISH = "finish"
    """Ends the answer, or reports its stop reason or usage."""
    NEUTRAL = "neutral"
    """No part of the answer: a ping, a comment, an unknown event."""
    FAILURE = "failure"
    """The provider reports an error; nothing follows."""


class PartKind(Enum):
    """The kind of a part of an answer."""

    TEXT = "text"
    THINKING = "thinking"
    CALL = "call"
    """A call of one of the client's tools: clients run it as soon as they have it."""
    OTHER = "other"
    """Anything else, such as a tool that the provider runs."""


class FrameRole(Struct, frozen=True, gc=False):
    """The role of a frame. `part` is the key of its part; `size` is its number of characters of text.

    `closes` are the parts that the frame completes.
    """

    kind: FrameKind
    part: Hashable = None
    part_kind: PartKind = PartKind.OTHER
    size: int = 0
    closes: tuple[Hashable, ...] = ()


NEUTRAL = FrameRole(FrameKind.NEUTRAL)
HEAD = FrameRole(FrameKind.HEAD)
FINISH = FrameRole(FrameKind.FINISH)
FAILURE = FrameRole(FrameKind.FAILURE)
