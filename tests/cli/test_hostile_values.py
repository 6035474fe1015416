"""No hostile value reaches a terminal raw, or forges a line: every command, every argument, every place of a value.

The arguments come from the commands' own parsers, so that a new command or option is tried as soon as it exists.
"""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from msgspec import structs

from tests.cli.command import environment, ttsr_ls
from tests.cli.hostile_project import BYTES_NAME, CONTROLS, ESCAPED_NAME, NAME, VALUE, check_output
from tests.cli.hostile_session import LOGGED_SESSION
from tests.fork_server import program
from ttsr_ls.cli.main import COMMANDS
from ttsr_ls.errors import UsageError
from ttsr_ls.store.hook_server_file import HookServerAddress
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.rule_file import RuleFile

Capture = pytest.CaptureFixture[str]
# The positional arguments and options that each command, and each action, needs in order to run. Add new commands.
NEEDS: dict[str, tuple[list[str], list[str]]] = {
    "check": (["."], []),
    "test": (["x"], []),
    "scan": ([], []),
    "list": ([], []),
    "why": (["fires"], []),
    "init": ([], ["--yes"]),
    "new": (["fresh"], []),
    "explain": (["raw-never-a-code"], []),
    "convert": ([f"hookify.{BYTES_NAME}.local.md"], ["--to", "omp"]),
    "schema": (["rule"], []),
    "watch": (["stream.jsonl"], ["--from", "claude", "--no-live"]),
    "quiet": ([], []),
    "sessions": (["list"], []),
    "sessions list": ([], []),
    "sessions show": ([LOGGED_SESSION], []),
    "sessions export": ([LOGGED_SESSION], ["--output", "page.html"]),
    "sessions prune": ([], ["--dry-run"]),
    "acp": (["--", "./agent"], []),
    "run": (["pi"], ["--program", "./agent", "--prompt", "go"]),
    "demo": ([], ["--speed", "1e9"]),
    "replay": (["stream.jsonl"], ["--jobs", "1"]),
    "install": (["claude"], ["--dry-run"]),
    "uninstall": (["claude"], []),
    "doctor": (["claude"], ["--no-agent"]),
    "hooks": (["status"], []),
    "hooks serve": ([], ["--port=x"]),
    "hooks ensure": (["x"], []),
    "hooks stop": ([], []),
    "hooks status": ([], []),
    "proxy": ([], []),
    "agent": ([], ["--script", "script.yaml", "-p", f"go {CONTROLS}", "--yes"]),
    "mcp": ([], []),
    "completions": (["fish"], []),
    "serve": ([], []),
}
# Commands that handle signals or configure the root logger need a process of their own.
SERVERS: dict[str, list[list[str]]] = {
    "mcp": [["--log", BYTES_NAME], []],
    "proxy": [
        ["--cwd", f"no-{BYTES_NAME}"],
        ["--upstream", VALUE],
        ["--state", VALUE],
        ["--upstream", f"{VALUE}={VALUE}"],
        ["--host", VALUE],
    ],
    "serve": [["--log", BYTES_NAME], []],
}
"""The arguments that each of them is tried with beside any: those of `proxy` do not have it serve."""
PLACES = (
    VALUE,
    "",
    BYTES_NAME,
    f"no-{BYTES_NAME}",
    f"folder/{BYTES_NAME}.md",
    f".omp/rules/{NAME}-binary.md",
    f".omp/rules/{NAME}-large.md",
    f".omp/rules/{NAME}-gone.md",
    f".omp/rules/{NAME}-pipe.md",
    ".omp/rules/errors.md",
    ".omp/rules/raw.md",
    *(f"{BYTES_NAME}{suffix}" for suffix in (".toml", ".json", ".jsonl", ".yaml")),
    f"raw-{BYTES_NAME}.toml",
    f"features-{BYTES_NAME}.toml",
)


def parsers() -> dict[str, argparse.ArgumentParser]:
    """The parsers of all commands, and of their actions (`sessions show`)."""
    found: dict[str, argparse.ArgumentParser] = {}
    for command in COMMANDS:
        found[command.name] = parser = argparse.ArgumentParser(command.name)
        importlib.import_module(command.module).configure(parser)
        for each in parser._actions:
            if isinstance(each, argparse._SubParsersAction):
                found |= {f"{command.name} {name}": one for name, one in each.choices.items()}
    return found


def places(command: str, action: argparse.Action) -> list[str]:
    """The values for an argument that takes any; no pipe for one that stands for a stream, which is waited for."""
    is_stream = (command, action.dest) in (("watch", "stream"), ("check", "output"), ("sessions export", "output"))
    return [place for place in PLACES if not (is_stream and "-pipe" in place)]


def invocations(command: str, action: argparse.Action) -> Iterator[list[str]]:
    """The command with each hostile value in one argument, and everything else as it has to be."""
    positional, options = NEEDS[command]
    if not action.option_strings:
        yield from ([*options, "--", place] for place in places(command, action))
        return
    flag = action.option_strings[-1]
    if action.nargs == 0:
        yield [*options, flag, *positional]
        yield [*options, f"{flag}={VALUE}", *positional]
        return
    other_names = [
        word for position, word in enumerate(options) if flag not in options[max(position - 1, 0) : position + 1]
    ]
    values = (*action.choices, VALUE) if action.choices else places(command, action)
    yield from ([*other_names, f"{flag}={value}", *positional] for value in values)


def files() -> dict[Path, int]:
    """The time of the last change of each file in the folders that commands write to."""
    return {
        Path(entry.path): entry.stat(follow_symlinks=False).st_mtime_ns
        for folder in (".", "folder", ".omp/rules")
        for entry in os.scandir(folder)
        if entry.is_file(follow_symlinks=False)
    }


def arguments() -> list[pytest.ParameterSet]:
    return [
        pytest.param(command, action, id=f"{command} {(action.option_strings or [action.dest])[-1]}")
        for command, parser in parsers().items()
        if command not in SERVERS
        for action in parser._actions
    ]


@pytest.fixture
def terminal(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the captured output a terminal. No server is started that would outlive the test."""
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda self: True)
    monkeypatch.setattr("ttsr_ls.cli.install.checks.server_check.ensure_running", no_server)


@pytest.fixture
def read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets discovery parse the same text of a rule once: it is the project's in each of two thousand commands.

    What is read again by other ways (the files that arguments name, settings, streams), and what is made of a rule, is
    not shared.
    """

    def read(text: str, *, name: str, path: str) -> RuleFile:
        return structs.replace(rule_file(text, name), path=path)

    monkeypatch.setattr("ttsr_ls.store.discovery.loaded_rule.read_rule", read)


@cache
def rule_file(text: str, name: str) -> RuleFile:
    return read_rule(text, name=name, path="")


def no_server(_: HookServerAddress) -> None:
    raise UsageError(f"the server {VALUE} does not start")


def test_every_command_is_tried() -> None:
    assert set(NEEDS) == set(parsers())
    assert len(arguments()) > 80


@pytest.mark.parametrize(("command", "action"), arguments())
@pytest.mark.usefixtures("hostile", "terminal", "read_once")
def test_arguments_are_escaped_on_a_terminal(command: str, action: argparse.Action, capsys: Capture) -> None:
    seen = ""
    before = {path: (changed, path.read_bytes()) for path, changed in files().items()}
    for words in invocations(command, action):
        ran = ttsr_ls(capsys, *command.split(), *words)
        check_output(ran.out + ran.err, [command, *words])
        seen += ran.out + ran.err
        # A report that is written into the project would be scanned by the next command, and reported again.
        for path, changed in files().items():
            if path not in before:
                path.unlink()
            elif changed != before[path][0]:
                path.write_bytes(before[path][1])
    assert seen


@pytest.mark.usefixtures("hostile", "terminal")
def test_unknown_commands_and_options_are_escaped_on_a_terminal(capsys: Capture) -> None:
    for words in ([VALUE], [f"chec{VALUE}"], ["check", f"--{VALUE}"], ["list", VALUE], ["why", "fires", VALUE]):
        ran = ttsr_ls(capsys, *words)
        assert ran.status == 2
        check_output(ran.out + ran.err, words)


@pytest.mark.usefixtures("hostile", "terminal")
def test_commands_process_the_hostile_project(capsys: Capture) -> None:
    """Each command gets past its arguments and reports on the project, escaped."""
    output = {}
    for command, (positional, options) in NEEDS.items():
        if command not in SERVERS:
            ran = ttsr_ls(capsys, *command.split(), *options, *positional)
            output[command] = ran.out + ran.err
            check_output(output[command], [command])
    assert "unknown-key" in output["check"]
    assert f"{ESCAPED_NAME}-binary would interrupt text" in output["watch"]
    assert "! Injected fires" in output["run"]
    assert "-- The answer is interrupted by fires" in output["agent"]
    assert "interrupted by x\\x1b" in output["sessions show"]
    assert "A rule of this name" not in output["new"]
    for name in ("check", "test", "scan", "list", "why", "watch", "run", "agent", "convert", "demo", "replay"):
        assert ESCAPED_NAME in output[name], name


@pytest.mark.parametrize("command", SERVERS)
def test_the_output_of_servers_is_escaped(command: str, hostile: Path) -> None:
    """Servers report hostile arguments, and input that is no protocol, on standard error."""
    for words in ([f"--{VALUE}"], [VALUE], *SERVERS[command]):
        ran = subprocess.run(
            [*program(command), *words],
            env=environment(NO_COLOR="1", HOME=str(hostile)),
            input=f"{CONTROLS}\r\n\r\n{CONTROLS}".encode(),
            capture_output=True,
            check=False,
            timeout=60,
        )
        check_output(ran.stderr.decode(errors="surrogateescape"), words)
