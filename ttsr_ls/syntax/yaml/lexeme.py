"""A scalar as read, before its tag is applied."""

from __future__ import annotations

from msgspec import Struct

TextRun = tuple[str, int, int]
"""Characters of a value, and the range of the text that they stand for."""


class Lexeme(Struct, frozen=True):
    """A scalar as written between `start` and `end`. Only a plain one can have a value other than a string."""

    runs: tuple[TextRun, ...]
    start: int
    end: int
    plain: bool

    @property
    def value(self) -> str:
        """The text of the scalar."""
        return "".join(run[0] for run in self.runs)
