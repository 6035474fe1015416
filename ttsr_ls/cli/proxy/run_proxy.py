"""Runs `proxy`: serves until a signal ends it."""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import secrets
import signal
from contextlib import suppress
from pathlib import Path

from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.named_folders import named_folders, working_folder
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.output import write_line
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.cli.proxy.arguments import keeps_content, limits_of
from ttsr_ls.errors import UsageError

TOKEN_VARIABLE = "TTSR_PROXY_TOKEN"  # noqa: S105 - the name of a variable


_TOKEN = re.compile(r"[A-Za-z0-9_-]{16,200}")


_CLIENTS = (
    ("Claude Code", "anthropic", "", "ANTHROPIC_BASE_URL"),
    ("OpenAI's SDK", "openai", "/v1", "OPENAI_BASE_URL"),
    ("Gemini CLI", "gemini", "", "GOOGLE_GEMINI_BASE_URL"),
)


def run_proxy(args: argparse.Namespace) -> int:
    """Serves until a signal ends it. Raises UsageError."""
    from ttsr_ls.bridge.proxy.serving.routes import PUBLIC_UPSTREAMS, ProxyRoutes, validate_upstream

    cwd = working_folder(args)
    upstreams = dict(PUBLIC_UPSTREAMS)
    for item in args.upstream:
        name, sign, url = item.partition("=")
        if not sign:
            raise UsageError(f"'{item}' names no upstream; write NAME=URL")
        upstreams[name] = validate_upstream(name, url)
    number = asyncio.run(_serve_until_stopped(args, ProxyRoutes(_token(), upstreams), cwd))
    return ExitCode.INTERRUPTED if number == signal.SIGINT else ExitCode.OK


def _token() -> str:
    token = os.environ.get(TOKEN_VARIABLE)
    if token is None:
        return secrets.token_urlsafe(24)
    if not _TOKEN.fullmatch(token):
        raise UsageError(f"{TOKEN_VARIABLE} needs 16 to 200 letters, digits, - and _")
    return token


async def _serve_until_stopped(args: argparse.Namespace, routes: object, cwd: Path) -> int:
    """Serves until a signal ends it; returns the number of the signal. The second one ends it without a summary."""
    from ttsr_ls.bridge.control.stop_signals import StopSignals, handled_signals

    task, event = asyncio.current_task(), asyncio.Event()
    assert task is not None, "a coroutine runs in a task"
    signals = StopSignals(event.set, task.cancel)
    with handled_signals(signals.receive), suppress(asyncio.CancelledError):
        await _serve(args, routes, cwd, event)
    return signals.last


async def _serve(args: argparse.Namespace, routes: object, cwd: Path, event: asyncio.Event) -> None:
    from ttsr_ls.bridge.proxy.serving.open_sessions import ProxyWorkspace
    from ttsr_ls.bridge.proxy.serving.routes import ProxyRoutes
    from ttsr_ls.bridge.proxy.serving.server import ProxyOptions, ProxyServer
    from ttsr_ls.cli.proxy.notice_text import enforced_rules, notice_text, summary_text
    from ttsr_ls.rules.rule_set import MAIN_AGENT

    assert isinstance(routes, ProxyRoutes)
    options = ProxyOptions(
        host=args.host, port=args.port, refuses_unparsed=args.refuse_unparsed, limits=limits_of(args)
    )
    workspace = ProxyWorkspace(
        "proxy",
        cwd,
        not args.no_log,
        named_folders(args),
        args.state,
        args.judge,
        keeps_content=keeps_content(args, cwd),
    )
    server = ProxyServer(routes, workspace, options, lambda notice: _say(notice_text(notice)))
    await server.start()
    try:
        rules, judge_note = enforced_rules(server.rules(MAIN_AGENT), has_judge=args.judge is not None)
        place = f"on {args.host}:{server.port}{judge_note}"
        _say(f"{count(len(rules), 'rule')} for agents in {cwd}, {place}. Press Ctrl-C to stop.")
        for client, name, path, variable in _CLIENTS:
            _say(f"  {client:<12}  {variable}={routes.base_url(server.port, name, path)}")
        for name in routes.upstreams.keys() - {name for _, name, _, _ in _CLIENTS}:
            _say(f"  {name:<12}  {routes.base_url(server.port, name)}")
        _say(f"  {'state':<12}  {routes.base_url(server.port, '').rstrip('/')}")
        await event.wait()
    finally:
        await server.close()
    _say(f"{summary_text(server.count)}.")


def _say(text: str) -> None:
    write_line(one_line(text), flush=True)
