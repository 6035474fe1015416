"""Runs `run`: starts an agent, controls it over its protocol, and reports."""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from ttsr_ls import __version__
from ttsr_ls.bridge.adapters.agents import SOURCES
from ttsr_ls.bridge.control.agents import CONTROLLED, ControlledAgent
from ttsr_ls.bridge.control.controller import Controller
from ttsr_ls.bridge.control.earlier_injections import earlier_injections
from ttsr_ls.bridge.control.injection_text import DisplayRoots
from ttsr_ls.bridge.control.running import ControlLoop, RunResult, RunTimeouts
from ttsr_ls.bridge.control.views import AgentLimit, RunView
from ttsr_ls.bridge.host.clock import epoch_ms
from ttsr_ls.bridge.host.recorder import LogFailurePolicy
from ttsr_ls.bridge.rules.reloading_rules import ReloadingRules
from ttsr_ls.bridge.watch.event_log import EventLog
from ttsr_ls.bridge.watch.live_output_writer import LiveObserver, LiveOutputWriter
from ttsr_ls.bridge.watch.null_log import NullLog
from ttsr_ls.bridge.watch.prewarming import prewarming_text
from ttsr_ls.bridge.watch.session_noise import session_noise
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.log_arguments import on_log_failure
from ttsr_ls.cli.named_folders import named_folders, working_folder
from ttsr_ls.cli.run.codex_trust import CodexTrust
from ttsr_ls.cli.run.command import PROXIED_NAMES
from ttsr_ls.cli.run.screen import RunScreen
from ttsr_ls.cli.watch.observing import new_session_log
from ttsr_ls.errors import UsageError
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.matching.collector import freeze_live_objects
from ttsr_ls.rules.rule_set import MAIN_AGENT
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.session.history.turn_events import TurnCancelled, TurnFailed
from ttsr_ls.store.files.bounded_file import read_edited_text
from ttsr_ls.store.log.header import new_header
from ttsr_ls.store.log.live_output import LiveOutput
from ttsr_ls.store.log.session_dirs import state_home, workspace_root
from ttsr_ls.store.log.turn_log import LogWriteError, TurnLog
from ttsr_ls.store.proxied_sessions import proxy_environ


def run_controlled(args: argparse.Namespace) -> int:
    """Runs the agent until it is done and returns the exit status. Raises UsageError if it cannot be started."""
    if args.proxy:
        from ttsr_ls.cli.proxy.agent_run import run_agent

        return run_agent(args)
    if args.agent not in CONTROLLED:
        raise UsageError(f"{args.agent} cannot be controlled over a protocol of its own; run it with --proxy")
    cwd = working_folder(args)
    agent = CONTROLLED[args.agent]
    program = _program(agent, args.program)
    if args.prompt is None and sys.stdin.isatty():
        return _run_interactively(args, program, cwd)
    paths = named_folders(args)
    prompt = _prompt(args.prompt)
    screen = RunScreen(sys.stdout, sys.stderr, cwd, epoch_ms())
    with _log(args, cwd, screen) as log, AstProcess() as ast_search:
        rules = ReloadingRules(cwd, Path.home(), os.environ, time.monotonic(), 0.0, paths)
        observer = LiveObserver(
            rules.rules_for,
            log,
            settings=rules.settings,
            matching=Matching.STABLE,
            ast_search=ast_search,
            file_text=partial(read_edited_text, cwd),
            noise_limits=session_noise(log, cwd, state_home(os.environ, Path.home())),
            injected_before=earlier_injections(cwd, log).of_session,
        )
        if isinstance(log, TurnLog):
            observer.live = LiveOutputWriter(LiveOutput(log.path), observer.position)
        dialect = rules.rules_for(MAIN_AGENT)
        screen.begin(
            agent.title, dialect, log.path if isinstance(log, TurnLog) else None, agent.driver.capabilities.limits
        )
        observer.prewarm(prewarming_text(dialect.rules))
        freeze_live_objects()
        driver = agent.driver(cwd, __version__)
        driver.approves = args.approve
        adapter = SOURCES[agent.source].make(cwd)
        controller = Controller(driver, adapter, observer, rules.settings, DisplayRoots(cwd, Path.home()))
        for notice in observer.start(epoch_ms()):
            screen.show(notice)

        def check(position: int) -> list[RunView]:
            if not rules.has_changed(time.monotonic()):
                return []
            controller.settings = rules.settings
            return [*observer.replace_rules(rules.rules_for, rules.settings, position)]

        command = [program, *agent.arguments(args.arguments)]
        pace = RunTimeouts(silence=args.silence)
        # The environment makes installed hooks of the agent leave the enforcement to this run.
        transport = agent.transport(command, cwd, {**os.environ, **proxy_environ(args.agent)})
        loop = ControlLoop(controller, transport, screen.show, check, pace)
        trust = CodexTrust(Path.home(), os.environ) if args.agent == "codex" else None
        try:
            result = asyncio.run(loop.run(prompt))
        finally:
            if observer.live is not None:
                observer.live.close()
    if trust is not None and (message := trust.message()):
        screen.show(AgentLimit(message))
    screen.end(result)
    return _status(result)


def _run_interactively(args: argparse.Namespace, program: str, cwd: Path) -> int:
    """Shows the agent's own interface, without a prompt. Only Codex has one that another program can serve."""
    if args.agent == "codex":
        from ttsr_ls.cli.run.run_tui import run_tui

        return run_tui(args, program, cwd)
    advice = "pass it with --prompt, or pipe it in"
    if args.agent in PROXIED_NAMES:
        advice += f"; `ttsr-ls run {args.agent} --proxy` leaves the terminal to the agent"
    raise UsageError(f"there is no prompt; {advice}")


def _status(result: RunResult) -> int:
    """Returns the exit code: that of the agent if it failed; else one for the outcome of its last turn."""
    if result.was_stopped:
        return ExitCode.INTERRUPTED
    if result.failure is not None:
        return result.status if result.status is not None and result.status > 0 else ExitCode.USAGE
    return ExitCode.FINDINGS if isinstance(result.outcome, TurnFailed | TurnCancelled) else ExitCode.OK


def _program(agent: ControlledAgent, path: str | None) -> str:
    result = shutil.which(path or agent.program)
    if result is None:
        place = f"there is no program {path}" if path else f"{agent.program} is not on the PATH; name it with --program"
        raise UsageError(f"cannot run {agent.title}: {place}")
    return str(Path(result).absolute())  # A relative path would be looked for in `--cwd`.


def _prompt(argument: str | None) -> str:
    text = sys.stdin.buffer.read().decode(errors="replace") if argument is None else argument
    if not text.strip():
        raise UsageError("the prompt is empty")
    return text


@contextmanager
def _log(args: argparse.Namespace, cwd: Path, screen: RunScreen) -> Iterator[EventLog]:
    path = None if args.no_log else (args.log or new_session_log(cwd))
    if path is None:
        yield NullLog()
        return
    header = new_header(path, args.agent, workspace_root(cwd), epoch_ms())
    try:
        log = TurnLog.open(path, header)
    except LogWriteError as error:
        if args.log is not None or on_log_failure(args) is LogFailurePolicy.STOP:
            raise
        screen.report_not_recorded(str(error))
        yield NullLog()
        return
    with log:
        yield log
