"""Decides which frames of an answer may be sent to the client while the rest may still break a rule.

Frames keep their order. A call is held until it is complete: clients run calls before the message ends. Text is held
until `window` further characters came without a match. Thinking is held until text or a call after it is released, so
that it can be dropped together with them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from enum import Enum, auto
from typing import Any, assert_never

from msgspec import Struct

from ttsr_ls.bridge.proxy.streams.frame_role import FrameKind, FrameRole, PartKind


class _State(Enum):
    UNDECIDED = auto()
    WITH_NEXT = auto()
    DECIDED = auto()


class HeldFrame(Struct, frozen=True, gc=False):
    """A frame on its way to the client. `event` is its JSON value, None where it has none; `end` counts the characters
    of its text part up to and including this frame."""

    raw: bytes
    event: Any
    role: FrameRole
    end: int = 0


class HoldBackBuffer:
    """The frames of one answer that are not released yet. `window` is in characters; 0 releases text at once."""

    __slots__ = ("_closed", "_frames", "_is_frozen", "_sizes", "_waiting", "_window", "size")

    def __init__(self, window: int) -> None:
        self._window = window
        self._waiting: list[HeldFrame] = []
        """Frames that go with the next frame that may be released."""
        self._frames: deque[HeldFrame] = deque()
        self._sizes: dict[Hashable, int] = {}
        self._closed: set[Hashable] = set()
        self._is_frozen = False
        self.size = 0
        """How many bytes are held."""

    @property
    def is_empty(self) -> bool:
        """True if all frames are released."""
        return not self._frames and not self._waiting

    def push(self, raw: bytes, event: Any, role: FrameRole) -> None:
        """Adds a frame in whose content no rule fired."""
        end = 0
        if role.part_kind is PartKind.TEXT and role.part is not None:
            end = self._sizes[role.part] = self._sizes.get(role.part, 0) + role.size
        self._frames.append(HeldFrame(raw, event, role, end))
        self.size += len(raw)
        if role.closes:
            self._closed.update(role.closes)

    def release(self) -> list[HeldFrame]:
        """Returns the frames that may be sent to the client now."""
        frames: list[HeldFrame] = []
        while self._frames and not self._is_frozen:
            match self._state(self._frames[0]):
                case _State.UNDECIDED:
                    break
                case _State.WITH_NEXT:
                    self._waiting.append(self._frames.popleft())
                case _State.DECIDED:
                    frames += self._waiting
                    frames.append(self._frames.popleft())
                    self._waiting.clear()
        self.size -= sum(len(frame.raw) for frame in frames)
        return frames

    def freeze(self) -> None:
        """Makes `release` return nothing more of this attempt, which will be followed by another."""
        self._is_frozen = True

    def release_all(self) -> list[HeldFrame]:
        """Returns all held frames."""
        frames = [*self._waiting, *self._frames]
        self._waiting.clear()
        self._frames.clear()
        self.size = 0
        return frames

    def release_text(self) -> list[HeldFrame]:
        """Returns the frames of an interrupted answer that may be sent: text and what precedes it. Calls stay held."""
        frames = self.release_all()
        last = max((place for place, frame in enumerate(frames, 1) if frame.role.part_kind is PartKind.TEXT), default=0)
        is_kept = [place <= last and frame.role.part_kind is not PartKind.CALL for place, frame in enumerate(frames, 1)]
        self._frames.extend(frame for frame, kept in zip(frames, is_kept, strict=True) if not kept)
        self.size = sum(len(frame.raw) for frame in self._frames)
        return [frame for frame, kept in zip(frames, is_kept, strict=True) if kept]

    def drop(self) -> list[HeldFrame]:
        """Discards the held frames of an interrupted attempt, before another attempt begins."""
        frames = self.release_all()
        self._is_frozen = False
        self._sizes.clear()
        self._closed.clear()
        return frames

    def _state(self, frame: HeldFrame) -> _State:
        role = frame.role
        match role.kind:
            case FrameKind.HEAD | FrameKind.FINISH | FrameKind.FAILURE:
                return _State.DECIDED
            case FrameKind.NEUTRAL:
                # Alone it goes at once; behind held frames it keeps its place.
                return _State.WITH_NEXT if self._waiting else _State.DECIDED
            case FrameKind.OPEN if role.part_kind is not PartKind.CALL:
                return _State.WITH_NEXT
            case _:
                pass
        match role.part_kind:
            case PartKind.THINKING | PartKind.OTHER:
                return _State.WITH_NEXT
            case PartKind.TEXT:
                is_safe = role.part in self._closed or self._sizes.get(role.part, 0) - frame.end >= self._window
                return _State.DECIDED if is_safe else _State.UNDECIDED
            case PartKind.CALL:
                return _State.DECIDED if role.part in self._closed else _State.UNDECIDED
        assert_never(role.part_kind)
