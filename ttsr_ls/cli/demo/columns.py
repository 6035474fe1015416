"""Prints a streamed text and a fixed text side by side, in two columns of a terminal of width 80."""

from __future__ import annotations

from collections import deque

from ttsr_ls.cli.printing.output import write_line
from ttsr_ls.cli.printing.terminal import Palette, TextStyle, printable

WIDTH = 80
"""How many columns of a terminal the demo uses."""

_LEFT = 42
_GAP = " | "


class Columns:
    """Two columns of text. The left one is streamed; its n-th line is printed with the n-th line of the right one."""

    def __init__(self, right: list[str], palette: Palette) -> None:
        self._right = deque(right)
        self._palette = palette
        self._column = 0

    def add_text(self, text: str, style: TextStyle | None = None) -> None:
        """Adds `text` to the left column, breaking lines before words that do not fit."""
        for number, line in enumerate(text.split("\n")):
            if number:
                self.end_line()
            display = printable(line)
            if self._column and self._column + len(display.rstrip()) > _LEFT:
                self.end_line()
                display = display.lstrip()
            write_line(self._palette.paint(display, style) if style else display, end="", flush=True)
            self._column += len(display)

    def line(self, text: str, style: TextStyle | None = None) -> None:
        """Prints a complete line in the left column."""
        if self._column:
            self.end_line()
        self.add_text(text, style)
        self.end_line()

    def end_line(self) -> None:
        """Ends the line, after the corresponding line of the right column."""
        self._column, column = 0, self._column
        if not self._right:
            write_line(flush=True)
            return
        beside = self._palette.paint(printable(self._right.popleft()), TextStyle.HINT)
        write_line(f"{' ' * max(_LEFT - column, 0)}{_GAP}{beside}".rstrip(), flush=True)

    def finish(self) -> None:
        """Ends the left column and prints the rest of the right one."""
        if self._column:
            self.end_line()
        while self._right:
            self.end_line()
