"""The entry point: finds the command and runs it.

Commands are named in one table and imported only when they are run, so that `check` does not pay for what the server
needs. Every error that is raised on purpose ends here, as one line on the error output; nothing else may print those.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn, Protocol, cast

from msgspec import Struct

from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.printing.output import escaping_standard_streams, write_error, write_line
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.errors import TtsrError


class CliCommand(Struct, frozen=True):
    """A command: the module that has it, and one line that says what it does."""

    name: str
    module: str
    summary: str


class CommandModule(Protocol):
    """What the module of a command has."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds the arguments of the command."""

    def run(self, args: argparse.Namespace) -> int:
        """Runs the command; returns the exit status. May raise `TtsrError`, whose text is then shown."""


COMMANDS = (
    CliCommand("check", "ttsr_ls.cli.check.command", "find what is wrong with rule files"),
    CliCommand("test", "ttsr_ls.cli.trial.command", "run the tests of rules, or try which rules fire on a text"),
    CliCommand("scan", "ttsr_ls.cli.scan.command", "find where rules fire in files, as a gate for CI"),
    CliCommand("list", "ttsr_ls.cli.list.command", "list the rules that apply here"),
    CliCommand("why", "ttsr_ls.cli.why.command", "say why a rule fires, or which gate stops it"),
    CliCommand("new", "ttsr_ls.cli.new", "write the beginning of a rule"),
    CliCommand("explain", "ttsr_ls.cli.explain.command", "explain a finding code, or what a rule file does"),
    CliCommand("convert", "ttsr_ls.cli.convert", "say in one dialect what rules say in another"),
    CliCommand("schema", "ttsr_ls.cli.schema", "print the JSON Schema of rules, their tests, or the configuration"),
    CliCommand("watch", "ttsr_ls.cli.watch.command", "follow the stream of a running agent and report triggers"),
    CliCommand("install", "ttsr_ls.cli.install.command", "have agents ask the hook server before they act"),
    CliCommand("uninstall", "ttsr_ls.cli.install.uninstall", "take the hooks out of agents' settings again"),
    CliCommand("doctor", "ttsr_ls.cli.install.doctor", "check that hooks are installed and rules hold"),
    CliCommand("hooks", "ttsr_ls.cli.hooks.command", "serve the hooks of agents, so that rules hold in them"),
    CliCommand("demo", "ttsr_ls.cli.demo.command", "show in a minute what rules do"),
    CliCommand("agent", "ttsr_ls.cli.agent.command", "run a small coding agent with rules, tasks and a session log"),
    CliCommand("mcp", "ttsr_ls.cli.mcp", "offer a task list to an agent, as an MCP server"),
    CliCommand("serve", "ttsr_ls.cli.serve", "run the language server on standard input and output"),
)


_HELP_WIDTH = 100


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command that `argv` (default: the process's arguments) names; returns the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _open_what_is_closed()
    _accept_any_text()
    with escaping_standard_streams():
        return _run(arguments)


def _run(arguments: list[str]) -> int:
    try:
        status = _dispatch(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
        return ExitCode.BROKEN_PIPE
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except TtsrError as error:
        return _fail(str(error))
    except OSError as error:
        # What is not caught where it crossed the border comes from the output, whose disk is full.
        _discard_output()
        return _fail(f"cannot go on: {error.strerror or error}{f': {error.filename}' if error.filename else ''}")
    except Exception:  # The interpreter would end with status 1, which says that the command found something.
        import traceback

        write_line(traceback.format_exc(), sys.stderr)
        return _fail("this is a mistake in ttsr-ls; please report it with the lines above")
    return status


def _dispatch(arguments: list[str]) -> int:
    if not arguments:
        write_line(_overview(), stream=sys.stderr)
        return ExitCode.USAGE
    first = arguments[0]
    if first in ("-h", "--help", "help"):
        write_line(_overview())
        return ExitCode.OK
    if first in ("-V", "--version"):
        from ttsr_ls import __version__

        write_line(f"ttsr-ls {__version__}")
        return ExitCode.OK
    command = next((command for command in COMMANDS if command.name == first), None)
    if command is None:
        return _fail(f"there is no command '{first}'{_suggestion(first)}; run 'ttsr-ls --help' for the list")
    module = cast(CommandModule, importlib.import_module(command.module))
    parser = _Parser(
        f"ttsr-ls {command.name}", description=f"{command.summary.capitalize()}.", formatter_class=_help_formatter
    )
    module.configure(parser)
    return module.run(parser.parse_args(arguments[1:]))


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with arguments on one line, whatever is in them."""

    def error(self, message: str) -> NoReturn:
        super().error(one_line(message))


def _help_formatter(prog: str) -> argparse.HelpFormatter:
    # Without a width, argparse asks for the terminal's through modules that take as long to import as a rule to check.
    return argparse.HelpFormatter(prog, width=_HELP_WIDTH)


def _overview() -> str:
    width = max(len(command.name) for command in COMMANDS)
    lines = [f"  {command.name:<{width}}  {command.summary}" for command in COMMANDS]
    return "\n".join(
        [
            "usage: ttsr-ls COMMAND [ARGUMENTS]",
            "",
            "Rules for coding agents: checked, tested, and shown where they fire.",
            "",
            *lines,
            "",
            "Run 'ttsr-ls COMMAND --help' for the arguments of a command.",
        ]
    )


def _suggestion(name: str) -> str:
    from ttsr_ls.syntax.near_miss import nearest

    near = nearest(name, (command.name for command in COMMANDS))
    return "" if near is None else f" (did you mean '{near}'?)"


def _fail(message: str) -> int:
    write_error(message)
    return ExitCode.USAGE


def _open_what_is_closed() -> None:
    """Opens the null device for each standard stream that whoever started us has closed.

    Without that a file that is opened later gets its descriptor, and Python has no object to print to.
    """
    sys.stdin = sys.stdin or os.fdopen(os.open(os.devnull, os.O_RDONLY))
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def _discard_output() -> None:
    """The interpreter flushes once more at exit; gives it a place to flush to."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _accept_any_text() -> None:
    """Rule files and streams hold any character; a terminal that lacks one must not end the command."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
