"""What reading a scalar yields, before anything is known about its tag."""

from __future__ import annotations

from msgspec import Struct

TextRun = tuple[str, int, int]
"""Characters of a value, and the range of the text that they stand for."""


class Lexeme(Struct, frozen=True):
    """A scalar as written between `start` and `end`; only a plain one can be something else than a string."""

    runs: tuple[TextRun, ...]
    start: int
    end: int
    plain: bool

    @property
    def value(self) -> str:
        """The characters that it stands for."""
        return "".join(run[0] for run in self.runs)
