"""Runs `demo`: plays its scenes."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from ttsr_ls.cli.demo.broken_rule import show_broken_rule
from ttsr_ls.cli.demo.columns import WIDTH
from ttsr_ls.cli.demo.correction import show_correction
from ttsr_ls.cli.demo.pace import Pace
from ttsr_ls.cli.demo.recorded_run import show_recorded_run
from ttsr_ls.cli.printing.output import write_line
from ttsr_ls.cli.printing.terminal import Palette, TextStyle, palette_for


def run_demo(args: argparse.Namespace) -> int:
    """Plays the three parts, or the run for an editor. Needs no key and no network."""
    if args.editor is not None:
        from ttsr_ls.cli.demo.editor_project import show_in_editor

        return show_in_editor(args)
    with _signals_as_interrupts() as received:
        try:
            return _play(args)
        except KeyboardInterrupt:
            if not received:
                raise
            return 128 + received[0]


def _play(args: argparse.Namespace) -> int:
    pace, palette = Pace(args.speed), palette_for(sys.stdout)
    _title(1, "A rule corrects an answer while it streams", palette)
    show_correction(pace, palette)
    asyncio.run(pace.reading())
    _title(2, "A rule that never fires, and why", palette)
    show_broken_rule(palette)
    asyncio.run(pace.reading())
    _title(3, "A recorded run of Claude Code against the six shipped rules", palette)
    return show_recorded_run(args)


@contextmanager
def _signals_as_interrupts() -> Iterator[list[int]]:
    """Turns SIGTERM and SIGHUP into KeyboardInterrupt, so that the scenes remove their folders. Yields the received
    signals."""
    received: list[int] = []

    def interrupt(number: int, _frame: FrameType | None) -> None:
        received.append(number)
        signal.raise_signal(signal.SIGINT)

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    # An ignored signal stays so: `nohup` ignores SIGHUP.
    former = {
        number: signal.signal(number, interrupt) for number in numbers if signal.getsignal(number) != signal.SIG_IGN
    }
    try:
        yield received
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def _title(number: int, text: str, palette: Palette) -> None:
    if number > 1:
        write_line()
    write_line(palette.paint(f"== {number} of 3: {text} ".ljust(WIDTH, "="), TextStyle.STRONG))
    write_line()
