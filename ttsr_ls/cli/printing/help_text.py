"""Help texts of commands with examples below the arguments."""

from __future__ import annotations

import argparse

_WIDTH = 100
_WIDEST_ARGUMENT = 26


class HelpWithExamples(argparse.RawDescriptionHelpFormatter):
    """Leaves the line ends of the examples as they are."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_WIDTH, max_help_position=_WIDEST_ARGUMENT)
