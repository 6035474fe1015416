"""Colours for terminal output, and the choice of when to use them.

`cli.printing.output` escapes whatever a command prints. A value that has to stay on one line goes through `one_line`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum, StrEnum
from typing import TextIO

from ttsr_ls.escaping import one_line, printable

__all__ = [
    "ColourChoice",
    "Palette",
    "TextStyle",
    "one_line",
    "painted_text",
    "palette_for",
    "printable",
    "terminal_width",
    "use_colours",
]

# Follows ESC in the result of `Palette.paint`. Hostile text cannot contain it, so `cli.printing.output` lets only our
# own colours pass.
_NONCE = os.urandom(8).hex()
_NARROWEST = 20
_PAINT = re.compile(f"\x1b<{_NONCE}>(\\[[0-9;]*m)")


class TextStyle(Enum):
    """The parts of a report that are coloured, with their terminal codes."""

    ERROR = "1;31"
    WARNING = "1;33"
    INFO = "1;36"
    HINT = "36"
    GOOD = "32"
    STRONG = "1"
    FAINT = "2"


class Palette:
    """Colours text, or leaves it as it is."""

    __slots__ = ("is_coloured",)

    def __init__(self, is_coloured: bool) -> None:
        self.is_coloured = is_coloured

    def paint(self, text: str, style: TextStyle) -> str:
        """`text` in the colours of `style`; plain where the output has no colours.

        `cli.printing.output` turns the marks into the codes of a terminal.
        """
        return f"\x1b<{_NONCE}>[{style.value}m{text}\x1b<{_NONCE}>[0m" if self.is_coloured and text else text


class ColourChoice(StrEnum):
    """The choice of colours for reports; `AUTO`: on a terminal, unless the environment says otherwise."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


_CHOICE: ContextVar[ColourChoice] = ContextVar("colour", default=ColourChoice.AUTO)


@contextmanager
def use_colours(choice: ColourChoice) -> Iterator[None]:
    """Makes `palette_for` follow the choice for as long as the context lasts."""
    token = _CHOICE.set(choice)
    try:
        yield
    finally:
        _CHOICE.reset(token)


def palette_for(stream: TextIO, environment: Mapping[str, str] = os.environ) -> Palette:
    """The palette for `stream`: coloured if `use_colours` says so; by default, if it is a terminal and the environment
    does not forbid colours (https://no-color.org).
    """
    if _CHOICE.get() is not ColourChoice.AUTO:
        return Palette(_CHOICE.get() is ColourChoice.ALWAYS)
    if environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        return Palette(False)
    return Palette(bool(environment.get("FORCE_COLOR")) or stream.isatty())


def terminal_width(stream: TextIO, most: int) -> int | None:
    """Returns the columns of the terminal that `stream` writes to, at most `most`; None for other outputs."""
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        return None
    # A terminal without a known size reports 0.
    return min(columns, most) if columns >= _NARROWEST else most


def painted_text(text: str) -> str:
    """`text` as a terminal gets it: colours of `Palette.paint` as its codes, everything else printable."""
    # Every second part is the code of a colour.
    parts = _PAINT.split(text)
    return "".join(f"\x1b{part}" if index % 2 else printable(part) for index, part in enumerate(parts))
