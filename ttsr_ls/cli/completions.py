"""`ttsr-ls completions`: prints the script by which a shell completes commands, options, and values."""

from __future__ import annotations

import argparse
import importlib
from typing import Any, cast

from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.output_arguments import add_output_arguments
from ttsr_ls.cli.printing.help_text import add_examples
from ttsr_ls.cli.printing.output import write_exact

_SHELLS = ("bash", "zsh", "fish")
_FILES = ("FILE", "PATH", "CODE|FILE", "TEXT|PATH")


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `completions`."""
    add_examples(
        parser,
        "SHELL",
        ("completions bash", "for ~/.local/share/bash-completion/completions/ttsr-ls"),
        ("completions zsh", "for _ttsr-ls in a folder of $fpath"),
        ("completions fish", "for ~/.config/fish/completions/ttsr-ls.fish"),
    )
    parser.add_argument(
        "shell", choices=_SHELLS, metavar="SHELL", help=f"the shell to complete in: {', '.join(_SHELLS)}"
    )


def run(args: argparse.Namespace) -> int:
    """Prints the script."""
    import shtab

    write_exact(shtab.complete(_whole_parser(), shell=args.shell) + "\n")
    return ExitCode.OK


def _whole_parser() -> argparse.ArgumentParser:
    """A parser of all commands. `main` creates only the parser of the command that runs."""
    from ttsr_ls.cli.main import COMMANDS, CommandModule

    parser = argparse.ArgumentParser("ttsr-ls")
    parser.add_argument("-V", "--version", action="store_true", help="print the version")
    actions = parser.add_subparsers(dest="command")
    for command in COMMANDS:
        argument_parser = actions.add_parser(command.name, help=command.summary)
        cast(CommandModule, importlib.import_module(command.module)).configure(argument_parser)
        add_output_arguments(argument_parser)
        _complete_names(argument_parser)
    return parser


def _complete_names(parser: argparse.ArgumentParser) -> None:
    """Marks the arguments that are names of files or of folders."""
    import shtab

    for action in parser._actions:
        known: Any = action
        if action.metavar in _FILES:
            known.complete = shtab.FILE
        elif action.metavar == "DIR":
            known.complete = shtab.DIRECTORY
