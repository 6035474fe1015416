"""Help texts of commands with examples below the arguments."""

from __future__ import annotations

import argparse
import sys

from ttsr_ls.cli.printing.terminal import terminal_width

_WIDTH = 100
_WIDEST_ARGUMENT = 26


class HelpWithExamples(argparse.RawDescriptionHelpFormatter):
    """A help formatter that keeps the line ends of examples."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=terminal_width(sys.stdout, _WIDTH) or _WIDTH, max_help_position=_WIDEST_ARGUMENT)


def to_sentence(summary: str) -> str:
    """Returns a summary as a sentence, for the description in the help of a command."""
    return f"{summary[0].upper()}{summary[1:]}."


def add_action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], name: str, summary: str
) -> argparse.ArgumentParser:
    """Adds an action of a command; returns its parser."""
    return actions.add_parser(name, help=summary, description=to_sentence(summary))


def add_examples(parser: argparse.ArgumentParser, usage: str, *examples: tuple[str, str]) -> None:
    """Sets a usage of one line, and adds example commands, each with its purpose, below the arguments."""
    width = max(len(command) for command, _ in examples)
    lines = [f"  ttsr-ls {command:<{width}}   {purpose}" for command, purpose in examples]
    parser.formatter_class = HelpWithExamples
    parser.usage = f"%(prog)s {usage}"
    parser.epilog = "\n".join(["examples:", *(line.replace("%", "%%") for line in lines)])
