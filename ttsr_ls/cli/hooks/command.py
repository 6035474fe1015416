"""`ttsr-ls hooks`: controls the server that enforces rules through the hooks of unmodified agents."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ttsr_ls.cli.argument_types import whole_number
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.formats.choice import add_format_arguments
from ttsr_ls.cli.printing.help_text import add_action, add_examples
from ttsr_ls.cli.printing.output import write_json, write_line, write_note
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.errors import UsageError
from ttsr_ls.store.hook_server_file import (
    DEFAULT_PORT,
    LOOPBACK,
    HookServerAddress,
    hook_server_address,
    stored_address,
)
from ttsr_ls.store.log.session_dirs import state_home
from ttsr_ls.store.open_hook_sessions import is_hook_server_running, open_hook_sessions
from ttsr_ls.store.proxied_sessions import PROXY_VARIABLE, RUN_VARIABLE

_MAX_SESSIONS = 10
_RULES_OFF = "rules are off in this session"
_OTHERS_OFF = "rules are enforced here without hooks, but hooks of other sessions are off"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `hooks`."""
    add_examples(
        parser,
        "ACTION [options]",
        ("hooks status", "is the server running?"),
        ("hooks serve", "answer hooks in this terminal"),
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION", prog=parser.prog)
    serve = add_action(actions, "serve", "answer hooks until Ctrl-C")
    serve.add_argument(
        "--port",
        type=whole_number(1, 65535),
        help=f"the port on {LOOPBACK} (default: the port used last, else {DEFAULT_PORT})",
    )
    add_action(actions, "ensure", "start the server if it is not running; agents' SessionStart hooks run this")
    add_action(actions, "stop", "stop the server")
    status = add_action(actions, "status", "show whether the server is running")
    add_format_arguments(status)


def run(args: argparse.Namespace) -> int:
    """Runs the action."""
    state = state_home(os.environ, Path.home())
    match args.action:
        case "serve":
            from ttsr_ls.cli.hooks.serving import serve

            return serve(hook_server_address(state, args.port))
        case "ensure":
            return _ensure(state)
        case "stop":
            from ttsr_ls.cli.hooks.starting import stop

            address = stored_address(state)
            was_running = address is not None and stop(address)
            write_line("The hook server is stopped." if was_running else "The hook server is not running.")
            return ExitCode.OK
        case _:
            return _status(stored_address(state), args.format)


def _ensure(state: Path) -> int:
    """Prints the answer of a SessionStart hook: an empty object, or a message for the user that rules are off.

    At a terminal, prints text, and raises UsageError if the server cannot be started.
    """
    from ttsr_ls.cli.hooks.proxied import mark_session
    from ttsr_ls.cli.hooks.starting import ensure_running

    # An agent may wait until its input is read.
    is_at_terminal = sys.stdin.isatty()
    data = b"" if is_at_terminal else sys.stdin.buffer.read()
    behind_proxy = os.environ.get(PROXY_VARIABLE, "")
    problem = mark_session(state, behind_proxy, os.environ.get(RUN_VARIABLE, ""), data)
    lost_sessions = () if is_hook_server_running(state) else open_hook_sessions(state)
    try:
        address = hook_server_address(state)
        ensure_running(address)
    except UsageError as error:
        if is_at_terminal:
            raise
        # The proxy or `run` enforces the rules of its agent, with or without the hook server.
        effect = _OTHERS_OFF if behind_proxy else _RULES_OFF
        write_json({"systemMessage": f"ttsr-ls: {effect}: {one_line(str(error))}"})
        return ExitCode.OK
    if lost_sessions:
        agents = ", ".join(sorted({session.agent for session in lost_sessions}))
        restarted = (
            f"the hook server had ended while a session of {agents} was open, so calls were not checked until now"
        )
        problem = f"{restarted}; {problem}" if problem else restarted
    if not is_at_terminal:
        write_json({"systemMessage": f"ttsr-ls: {one_line(problem)}"} if problem else {})
        return ExitCode.OK
    write_line(f"The hook server is running on {LOOPBACK}:{address.port}.")
    if problem:
        write_note(problem)
    return ExitCode.OK


def _status(address: HookServerAddress | None, format_name: str) -> int:
    """Prints whether the server runs. Without an address, no server was ever started, so no port is printed."""
    from ttsr_ls.cli.hooks.starting import server_state

    found = None if address is None else server_state(address)
    if format_name == "json":
        port = None if address is None else address.port
        write_json({"port": port, "running": found is not None, "state": found}, indent=2)
        return ExitCode.FINDINGS if found is None else ExitCode.OK
    place = "" if address is None else f" on {LOOPBACK}:{address.port}"
    if found is None:
        write_line(f"The hook server is not running{place}.")
        return ExitCode.FINDINGS
    write_line(f"The hook server is running{place}.")
    for name, value in _state_rows(found):
        write_line(f"  {name:<10} {one_line(value)}")
    return ExitCode.OK


def _state_rows(found: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The names and values of a server's state."""
    yield "process", str(found.get("pid", ""))
    yield "version", str(found.get("version", ""))
    failed = found.get("failed", 0)
    advice = "; `ttsr-ls hooks serve` in a terminal shows why" if failed else ""
    yield "calls", f"{found.get('answered', 0)} checked, {failed} failed{advice}"
    sessions = open_hook_sessions(state_home(os.environ, Path.home())) if found.get("sessions") else ()
    yield "sessions", f"{found.get('sessions', 0)} open"
    for session in sessions[:_MAX_SESSIONS]:
        yield "", f"{session.agent} {session.session} in {session.workspace}"
    if len(sessions) > _MAX_SESSIONS:
        yield "", f"and {len(sessions) - _MAX_SESSIONS} more"
