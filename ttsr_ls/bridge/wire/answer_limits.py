"""The size limits of one answer, far above the output of any model. They bound memory if a provider is broken."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.session.output.wire_events import WireFailed


class AnswerLimits(Struct, frozen=True):
    """The most characters and parts of one answer."""

    characters: int = 32 * 1024 * 1024
    parts: int = 10_000


ANSWER_LIMITS = AnswerLimits()
"""The bounds in use."""

TOO_LONG = WireFailed("The answer is too long to be matched to its end.")


class AnswerTooLong(Exception):
    """The answer exceeds the size limit. Raised and caught inside the decoders."""


class AnswerBudget:
    """The remaining size budget of one answer."""

    __slots__ = ("_characters", "_parts")

    def __init__(self, limits: AnswerLimits) -> None:
        self._characters = limits.characters
        self._parts = limits.parts

    def take(self, text: str) -> str:
        """Counts `text` and returns it. Raises AnswerTooLong if it exceeds the limit."""
        self._characters -= len(text)
        if self._characters < 0:
            raise AnswerTooLong
        return text

    def take_part(self) -> None:
        """Counts another part. Raises AnswerTooLong beyond the limit."""
        self._parts -= 1
        if self._parts < 0:
            raise AnswerTooLong
