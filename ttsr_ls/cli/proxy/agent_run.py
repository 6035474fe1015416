"""Runs an agent behind its own proxy; prints a line at the start, the notices, and a summary."""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from ttsr_ls.bridge.proxy.launching.agent_plans import PLANS
from ttsr_ls.bridge.proxy.launching.launch_plan import AgentCommand, LaunchPlan, LaunchRequest
from ttsr_ls.bridge.proxy.proxy_notices import ProxyNotice
from ttsr_ls.bridge.proxy.serving.open_sessions import ProxyWorkspace
from ttsr_ls.bridge.proxy.serving.routes import ProxyRoutes, validate_upstream
from ttsr_ls.bridge.proxy.serving.server import ProxyOptions, ProxyServer
from ttsr_ls.cli.named_folders import named_folders, working_folder
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.output import is_quiet, write_line
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.cli.proxy.arguments import keeps_content, limits_of
from ttsr_ls.cli.proxy.notice_text import enforced_rules, notice_text, summary_text, unprotected_notice
from ttsr_ls.errors import UsageError
from ttsr_ls.rules.rule_set import MAIN_AGENT
from ttsr_ls.store.proxied_sessions import proxy_environ

_MAX_HELD_LINES = 1000


def run_agent(args: argparse.Namespace) -> int:
    """Runs the agent until it ends and returns its exit status. Raises UsageError."""
    name = args.agent
    _check(args)
    program = shutil.which(args.program or name)
    if program is None:
        raise UsageError(f"there is no program {args.program or name}; install it, or name it with --program")
    cwd = working_folder(args)
    workspace = ProxyWorkspace(
        name, cwd, not args.no_log, named_folders(args), judge=args.judge, keeps_content=keeps_content(args, cwd)
    )
    with tempfile.TemporaryDirectory(prefix="ttsr-ls-") as scratch:
        # A relative path would be looked for in `cwd`.
        request = LaunchRequest(
            str(Path(program).absolute()), tuple(args.arguments), os.environ, Path.home(), cwd, Path(scratch)
        )
        plan = PLANS[name](request)
        options = ProxyOptions(refuses_unparsed=args.refuse_unparsed, limits=limits_of(args))
        return asyncio.run(_Run(name, plan, workspace, options).run())


def _check(args: argparse.Namespace) -> None:
    if args.agent not in PLANS:
        raise UsageError(f"{args.agent} cannot be run behind the proxy; those that can are {', '.join(sorted(PLANS))}")
    if args.prompt is not None or args.approve:
        raise UsageError("with --proxy, write the prompt and the options of the agent behind --")
    if args.log is not None:
        raise UsageError("with --proxy, each session has a log of its own; leave out --log, or write --no-log")


class _Run:
    def __init__(self, name: str, plan: LaunchPlan, workspace: ProxyWorkspace, options: ProxyOptions) -> None:
        upstreams = {item: validate_upstream(item, url) for item, url in plan.upstreams.items()}
        self._name = name
        self._plan = plan
        self._workspace = workspace
        self._routes = ProxyRoutes(secrets.token_urlsafe(24), upstreams)
        self._options = options
        # A full-screen program would overwrite the lines.
        self._shows_at_once = not (sys.stdin.isatty() and sys.stdout.isatty())
        self._held_lines: list[str] = []

    async def run(self) -> int:
        server = ProxyServer(self._routes, self._workspace, self._options, self._show)
        await server.start()
        try:
            if not is_quiet():
                for sentence in (self._opening(server), *self._plan.unseen):
                    self._say(sentence)
            command = self._plan.build(lambda name, path: self._routes.base_url(server.port, name, path))
            status = await _run_process(command, self._name, self._workspace.cwd)
        finally:
            await server.close()
        for line in self._held_lines:
            self._say(line)
        if not is_quiet():
            self._say(f"{summary_text(server.count)}.")
        return status

    def _opening(self, server: ProxyServer) -> str:
        rules, judge_note = enforced_rules(server.rules(MAIN_AGENT), has_judge=self._workspace.judge is not None)
        if not rules:
            return f"{unprotected_notice(self._name)}{judge_note}"
        addresses = list(self._routes.upstreams.values())
        target = addresses[0] if len(addresses) == 1 else f"{len(addresses)} providers"
        fate = "refused" if self._options.refuses_unparsed else "passed on and reported"
        return (
            f"{self._name} is protected by {count(len(rules), 'rule')} (127.0.0.1:{server.port} → {target}; "
            f"unreadable requests are {fate}){judge_note}"
        )

    def _show(self, notice: ProxyNotice) -> None:
        line = notice_text(notice)
        if self._shows_at_once:
            self._say(line)
        elif len(self._held_lines) < _MAX_HELD_LINES:
            self._held_lines.append(line)

    def _say(self, text: str) -> None:
        write_line(one_line(f"ttsr-ls: {text}"), sys.stderr, flush=True)


async def _run_process(command: AgentCommand, agent: str, cwd: Path) -> int:
    """Runs the agent and returns its exit status. Ignores the terminal's signals, which the agent receives, too."""
    # Agents that the agent starts inherit the environment variables that point it to the proxy.
    proxied = proxy_environ(agent, sees_other_sessions=bool(command.environ))
    environ = {**os.environ, **command.environ, **proxied}
    loop = asyncio.get_running_loop()
    # No signal may be ignored when the agent starts: it would inherit that.
    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGQUIT") if hasattr(signal, name)]
    for number in numbers:
        loop.add_signal_handler(number, _ignore_signal)
    try:
        process = await asyncio.create_subprocess_exec(*command.command, env=environ, cwd=cwd)
    except OSError as error:
        raise UsageError(f"cannot start {command.command[0]}: {error.strerror}") from error
    loop.add_signal_handler(signal.SIGTERM, process.terminate)
    try:
        status = await process.wait()
    finally:
        for number in (*numbers, signal.SIGTERM):
            loop.remove_signal_handler(number)
    return status if status >= 0 else 128 - status


def _ignore_signal() -> None:
    """The agent decides whether it ends."""
