"""An area at the bottom of a terminal that is repainted, below lines that stay. Imports rich when it is opened."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from threading import Event, Thread
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO, cast

from ttsr_ls.cli.printing.output import EscapingStream, inner_stream
from ttsr_ls.cli.printing.terminal import TextStyle, one_line, painted_text, palette_for

if TYPE_CHECKING:
    from rich.console import Console

_PER_SECOND = 8


class LiveArea:
    """Shows the lines that `lines` returns. A thread calls it several times a second, and repaints after a change.

    Print to `stream` while the area is open: its text is escaped, and appears above the area.
    """

    def __init__(self, terminal: TextIO, lines: Callable[[], Sequence[tuple[str, TextStyle | None]]]) -> None:
        from rich.console import Console
        from rich.live import Live

        self._palette = palette_for(terminal)
        self._lines = lines
        file, is_plain = inner_stream(terminal), not self._palette.is_coloured
        console = Console(file=file, highlight=False, markup=False, emoji=False, no_color=is_plain)
        self._live = Live(
            console=console,
            get_renderable=self._rendered,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=sys.stderr.isatty(),
            vertical_overflow="crop",
        )
        self._painted: list[tuple[str, TextStyle | None]] = []
        self._ended = Event()
        self._thread = Thread(target=self._paint_changes, daemon=True)
        self.stream = cast(TextIO, EscapingStream(cast(TextIO, _Above(console, terminal))))

    def __enter__(self) -> LiveArea:
        self._live.start(refresh=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()
        self._live.stop()

    def _paint_changes(self) -> None:
        while not self._ended.wait(1 / _PER_SECOND):
            if list(self._lines()) != self._painted:
                self._live.refresh()

    def _rendered(self) -> Any:
        from rich.text import Text

        shown_text = Text(no_wrap=True, overflow="ellipsis")
        self._painted = list(self._lines())
        for number, (line, style) in enumerate(self._painted):
            text = one_line(line)
            styled = text if style is None else painted_text(self._palette.paint(text, style))
            shown_text.append("\n" if number else "").append_text(Text.from_ansi(styled))
        return shown_text


class _Above:
    """A stream whose text a console prints above its area."""

    def __init__(self, console: Console, terminal: TextIO) -> None:
        self._console = console
        self._terminal = terminal
        self._pending = ""

    def write(self, text: str) -> int:
        from rich.text import Text

        *lines, self._pending = (self._pending + text).split("\n")
        for line in lines:
            self._console.print(Text.from_ansi(line), soft_wrap=True)
        return len(text)

    def flush(self) -> None:
        self._terminal.flush()

    def isatty(self) -> bool:
        return True
