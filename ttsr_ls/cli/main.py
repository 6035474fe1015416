"""The entry point: finds the command and runs it.

The module of a command is imported only when the command runs, so that `check` does not load the modules of the server.
`main` prints every `TtsrError` as one line on the error output; no other module prints errors.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn, Protocol, cast

from msgspec import Struct

from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.output_arguments import add_output_arguments, output_settings
from ttsr_ls.cli.printing.help_text import to_sentence
from ttsr_ls.cli.printing.output import escaping_standard_streams, write_error, write_line
from ttsr_ls.cli.printing.terminal import one_line, terminal_width
from ttsr_ls.errors import TtsrError


class CliCommand(Struct, frozen=True):
    """The name of a command, the module that defines it, and a summary of one line.

    A command that `runs_program` gets the arguments behind `--` unparsed, as `args.arguments`.
    """

    name: str
    module: str
    summary: str
    runs_program: bool = False


class CommandModule(Protocol):
    """The functions that the module of a command defines."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds the arguments of the command."""

    def run(self, args: argparse.Namespace) -> int:
        """Runs the command; returns the exit status. May raise `TtsrError`, whose text is then shown."""


COMMANDS = (
    CliCommand("check", "ttsr_ls.cli.check.command", "find mistakes in rule files"),
    CliCommand("test", "ttsr_ls.cli.trial.command", "run the tests of rules, or show which rules fire on a text"),
    CliCommand("scan", "ttsr_ls.cli.scan.command", "find the places in files where rules fire, for CI and git hooks"),
    CliCommand("list", "ttsr_ls.cli.list.command", "list the rules of the current folder and what each does"),
    CliCommand("why", "ttsr_ls.cli.why.command", "explain why a rule fires or does not fire"),
    CliCommand("init", "ttsr_ls.cli.init.command", "write a first rule with its test, and settings for CI and editors"),
    CliCommand("new", "ttsr_ls.cli.new", "create a rule file from a template"),
    CliCommand("explain", "ttsr_ls.cli.explain.command", "explain a finding code or a rule"),
    CliCommand("convert", "ttsr_ls.cli.convert", "convert rule files to another dialect"),
    CliCommand("schema", "ttsr_ls.cli.schema", "print the JSON Schema of rule files, rule tests, or the configuration"),
    CliCommand(
        "watch", "ttsr_ls.cli.watch.command", "read the output of a running agent and report the rules that fire"
    ),
    CliCommand("run", "ttsr_ls.cli.run.command", "run an agent, and interrupt it where it breaks a rule", True),
    CliCommand("acp", "ttsr_ls.cli.acp.command", "enforce rules between an editor and its agent", True),
    CliCommand("quiet", "ttsr_ls.cli.quiet.command", "silence rules for a session or for a time"),
    CliCommand("sessions", "ttsr_ls.cli.sessions.command", "list, show, export, and prune session logs"),
    CliCommand("replay", "ttsr_ls.cli.replay.command", "count how often rules would have fired in kept sessions"),
    CliCommand("proxy", "ttsr_ls.cli.proxy.command", "enforce rules between agents and their models"),
    CliCommand("install", "ttsr_ls.cli.install.command", "install hooks that enforce rules in agents"),
    CliCommand("uninstall", "ttsr_ls.cli.install.uninstall", "remove the hooks from the settings of agents"),
    CliCommand("doctor", "ttsr_ls.cli.install.doctor", "check that the hooks are installed and enforce rules"),
    CliCommand("hooks", "ttsr_ls.cli.hooks.command", "control the server that answers the hooks of agents"),
    CliCommand("demo", "ttsr_ls.cli.demo.command", "play a demonstration, which takes half a minute"),
    CliCommand("agent", "ttsr_ls.cli.agent.command", "run a small coding agent with rules, tasks, and a session log"),
    CliCommand("mcp", "ttsr_ls.cli.mcp", "run an MCP server that gives an agent a task list"),
    CliCommand("completions", "ttsr_ls.cli.completions", "print a script for completion in bash, zsh, or fish"),
    CliCommand("serve", "ttsr_ls.cli.serve", "run the language server on standard input and output"),
)


_HELP_WIDTH = 100
_INVALID_CHOICE = re.compile(r"invalid choice: '([^']{1,40})' \(choose from (.*)\)\Z", re.DOTALL)
"""A message of argparse. Later versions of Python write the choices without quotes."""
_UNKNOWN = "unrecognized arguments: "
_REQUIRED = "the following arguments are required: "


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command that `argv` (default: the process's arguments) names; returns the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _open_closed_streams()
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
        # All other OSErrors are caught where they occur. This one comes from writing the output, as on a full disk, or
        # from reading the current folder, which another program deleted.
        _discard_output()
        if isinstance(error, FileNotFoundError) and not _has_current_folder():
            return _fail("the current folder does not exist any more; change to a folder that exists")
        return _fail(f"cannot continue: {error.strerror or error}{f': {error.filename}' if error.filename else ''}")
    except Exception:  # The interpreter's own status is 1, which means that the command has findings.
        import traceback

        write_line(traceback.format_exc(), sys.stderr)
        return _fail("this is a bug in ttsr-ls; please report it with the lines above")
    return status


def _dispatch(arguments: list[str]) -> int:
    if not arguments:
        write_line(_overview(), stream=sys.stderr)
        return ExitCode.USAGE
    first = arguments[0]
    if first == "help" and len(arguments) == 2:
        return _dispatch([arguments[1], "--help"])
    if first in ("-h", "--help", "help"):
        write_line(_overview())
        return ExitCode.OK
    if first in ("-V", "--version"):
        return _version(arguments[1:])
    command = next((command for command in COMMANDS if command.name == first), None)
    if command is None:
        suggestion = _suggestion(first, (each.name for each in COMMANDS))
        kind = "option" if first.startswith("-") else "command"
        return _fail(f"there is no {kind} '{first}'{suggestion}; run 'ttsr-ls --help' for the list")
    module = cast(CommandModule, importlib.import_module(command.module))
    parser = _Parser(f"ttsr-ls {command.name}", description=to_sentence(command.summary))
    module.configure(parser)
    add_output_arguments(parser)
    own_arguments, passed_arguments = arguments[1:], list[str]()
    if command.runs_program and "--" in own_arguments:
        own_arguments, passed_arguments = (
            own_arguments[: own_arguments.index("--")],
            own_arguments[own_arguments.index("--") + 1 :],
        )
    args = parser.parse_args(own_arguments)
    if command.runs_program:
        args.arguments = passed_arguments
    with output_settings(args):
        return module.run(args)


def _version(arguments: list[str]) -> int:
    if not arguments:
        from ttsr_ls import __version__

        write_line(f"ttsr-ls {__version__}")
        return ExitCode.OK
    if arguments not in (["-v"], ["--verbose"]):
        wrong = next((each for each in arguments if each not in ("-v", "--verbose")), arguments[-1])
        return _fail(f"--version has only the argument --verbose, not '{wrong}'")
    from ttsr_ls.cli.version_report import version_report

    write_line(version_report())
    return ExitCode.OK


class _StoreAction(argparse.Action):
    """Stores a value. For `--option=--`, some versions of Python pass an empty list instead of `--`."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        if self.nargs is None and values == []:
            if self.type is not None or self.choices is not None:
                raise argparse.ArgumentError(self, "invalid value: '--'")
            values = "--"
        setattr(namespace, self.dest, values)


class _Parser(argparse.ArgumentParser):
    """Reports a usage error on one line, also when an argument contains line feeds."""

    def __init__(self, prog: str, **options: Any) -> None:
        super().__init__(prog, **{"formatter_class": _help_formatter, **options})
        self.register("action", None, _StoreAction)
        self.register("action", "store", _StoreAction)

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        sys.stdout.flush()  # A later error, of a help text that cannot be written, would not be reported.
        super().exit(status, message)

    def _print_message(self, message: str, file: Any = None) -> None:
        # Later versions of argparse ignore an error of the write.
        (file or sys.stderr).write(message)

    def error(self, message: str) -> NoReturn:
        advice = _suggested_choice(message) or self._required_choices(message) or self._suggested_option(message)
        super().error(one_line(message) + advice)

    def _required_choices(self, message: str) -> str:
        """Returns the choices of the missing argument, for a message of argparse about one with choices; else blank."""
        for action in self._actions if message.startswith(_REQUIRED) else ():
            if action.choices and message.removeprefix(_REQUIRED) in ("/".join(action.option_strings), action.metavar):
                return f" (choose from {', '.join(action.choices)})"
        return ""

    def _suggested_option(self, message: str) -> str:
        """Returns the option that was probably meant, for a message of argparse about an unknown one; else blank."""
        unknown = message.removeprefix(_UNKNOWN)
        option = next((word for word in unknown.split() if word.startswith("-")), None)
        if message.startswith(_UNKNOWN) and not unknown.startswith("-") and "--text" in self._option_string_actions:
            return " (write --text before a text, --file before the name of a file)"
        if not message.startswith(_UNKNOWN) or option is None:
            return ""
        long_options = [name for name in self._option_string_actions if name.startswith("--")]
        return _suggestion(option.partition("=")[0][:40], long_options) or f"; '{self.prog} --help' lists all options"


def _suggested_choice(message: str) -> str:
    """Returns the choice that was probably meant, for a message of argparse about an invalid one; else blank."""
    match = _INVALID_CHOICE.search(message)
    if match is None:
        return ""
    return _suggestion(match[1], (choice.strip("' ") for choice in match[2].split(",")))


def _help_formatter(prog: str) -> argparse.HelpFormatter:
    # Without a width, argparse imports modules that find the terminal's, which takes as long as checking a rule.
    return argparse.HelpFormatter(prog, width=terminal_width(sys.stdout, _HELP_WIDTH) or _HELP_WIDTH)


def _overview() -> str:
    width = max(len(command.name) for command in COMMANDS)
    lines = [f"  {command.name:<{width}}  {command.summary}" for command in COMMANDS]
    return "\n".join(
        [
            "usage: ttsr-ls COMMAND [ARGUMENTS]",
            "",
            "Checks and tests TTSR rules, and reports or enforces them while coding agents run.",
            "",
            *lines,
            "",
            "Run 'ttsr-ls COMMAND --help' for the arguments of a command, and 'ttsr-ls --version --verbose' for what",
            "a bug report needs.",
        ]
    )


def _suggestion(name: str, known_names: Iterable[str]) -> str:
    from ttsr_ls.syntax.nearest_word import nearest_word

    nearest = nearest_word(name, known_names)
    return "" if nearest is None else f" (did you mean '{nearest}'?)"


def _fail(message: str) -> int:
    write_error(message)
    return ExitCode.USAGE


def _open_closed_streams() -> None:
    """Opens the null device for each standard stream that the parent process closed.

    Otherwise a file that is opened later gets the descriptor of that stream, and Python has no object to print to.
    """
    sys.stdin = sys.stdin or os.fdopen(os.open(os.devnull, os.O_RDONLY))
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def _has_current_folder() -> bool:
    try:
        Path.cwd()
    except FileNotFoundError:
        return False
    return True


def _discard_output() -> None:
    """Redirects standard output to the null device, because the interpreter flushes it once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _accept_any_text() -> None:
    """Makes output that the terminal cannot encode print as escapes instead of raising."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
