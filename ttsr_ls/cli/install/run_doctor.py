"""Runs `doctor`: checks the hooks step by step; each failure has a remedy."""

from __future__ import annotations

import argparse
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from ttsr_ls.bridge.agent_hooks.hooked_agents import AGENTS
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.hooks.starting import ensure_running, server_state
from ttsr_ls.cli.install.agent_version import version_output
from ttsr_ls.cli.install.codex_checks import check_codex_hooks
from ttsr_ls.cli.install.codex_inquiry import ask_codex
from ttsr_ls.cli.install.doctor_report import DoctorCheck, print_sections, print_sections_json
from ttsr_ls.cli.install.hook_canary import hook_canary
from ttsr_ls.cli.install.hook_files import HookFiles, check_known, found_agents, program_of
from ttsr_ls.cli.install.live_canary import was_denied
from ttsr_ls.cli.install.loaded_instructions import check_loaded_instructions
from ttsr_ls.cli.install.rule_checks import check_rules
from ttsr_ls.cli.install.settings_checks import check_settings
from ttsr_ls.cli.printing.output import write_note
from ttsr_ls.errors import UsageError
from ttsr_ls.store.hook_server_file import LOOPBACK
from ttsr_ls.store.log.session_dirs import state_home
from ttsr_ls.store.open_hook_sessions import open_hook_sessions

TESTED = {"claude": "2.1.329", "codex": "0.169.0", "gemini": "0.61.0"}
"""The version of each agent that hooks were tried with."""


_LIVE = frozenset({"claude", "codex", "gemini"})


_VERSION = re.compile(r"\d+(?:\.\d+)+")


def run_doctor(args: argparse.Namespace) -> int:
    """Runs the checks and reports. The status is 1 if one fails. Raises UsageError."""
    check_known(args.agents)
    agents = tuple(args.agents) or found_agents()
    planned = HookFiles(keeps_address=False)
    files = HookFiles() if planned.has_hooks else planned
    sections = _sections(agents, files, is_named=bool(args.agents), runs_agents=not args.no_agent)
    is_passed = (print_sections_json if args.format == "json" else print_sections)(sections)
    if not agents:
        programs = ", ".join(map(program_of, AGENTS))
        write_note(f"no agent was checked, because none of their programs is on the PATH: {programs}")
    else:
        write_note(
            "the doctor tries a rule of its own; to see which of yours fire on a call, run "
            "'ttsr-ls test CODE --tool write --path FILE'"
        )
    return ExitCode.OK if is_passed else ExitCode.FINDINGS


def _sections(
    agents: tuple[str, ...], files: HookFiles, *, is_named: bool, runs_agents: bool
) -> Iterator[tuple[str, Iterator[DoctorCheck]]]:
    yield "Rules and server", _common(files)
    for agent in agents:
        if is_named or files.is_set_up(agent):
            yield AGENTS[agent].title, _agent(agent, files, runs_agents=runs_agents)
        else:
            command = f"`ttsr-ls install {agent}` installs its hooks."
            yield AGENTS[agent].title, iter([DoctorCheck("It is not set up.", command, is_warning=True)])


def _common(files: HookFiles) -> Iterator[DoctorCheck]:
    yield from check_rules()
    address = files.server
    state = server_state(address)
    if state is None and not files.has_hooks:
        yield DoctorCheck("The hook server is not running.", "No hooks need it: none are installed.", is_warning=True)
        return
    if state is None:
        lost = open_hook_sessions(state_home(os.environ, Path.home()))
        if lost:
            agents = ", ".join(sorted({session.agent for session in lost}))
            yield DoctorCheck(
                f"The hook server ended while a session of {agents} was open, and calls were not checked since.",
                "Look at what these sessions did since; their next calls are checked as soon as the server runs.",
                is_warning=True,
            )
        try:
            ensure_running(address)
            state = server_state(address)
            yield DoctorCheck(
                f"The hook server was not running; it was started on {LOOPBACK}:{address.port}.",
                "An agent's SessionStart hook starts it.",
                is_warning=True,
            )
        except UsageError as error:
            yield DoctorCheck("The hook server is not running.", str(error))
            return
    if state is not None:
        failures = state.get("failed", 0)
        remedy = f"{failures} calls were not checked: run `ttsr-ls hooks serve` in a terminal to see why."
        yield DoctorCheck(f"The hook server answers on {LOOPBACK}:{address.port}.", remedy if failures else "")
    if state is not None and not files.is_state_writable:
        yield DoctorCheck(
            f"{files.client.parent} cannot be written: sessions are not recorded, and editors show no triggers.",
            "Make it and the files in it writable.",
            is_warning=True,
        )


def _agent(agent: str, files: HookFiles, *, runs_agents: bool) -> Iterator[DoctorCheck]:
    program = shutil.which(program_of(agent))
    if program is None:
        yield DoctorCheck(
            f"`{program_of(agent)}` is not on the PATH.", "Install it, or check another agent.", is_warning=True
        )
    else:
        yield _version(agent, program)
    installed = list(check_settings(agent, files))
    yield from installed
    if any(check.verdict == "failed" for check in installed):
        yield _skipped("The hook and the agent itself were", "its hooks are not in place")
        return
    if server_state(files.server) is None:
        yield _skipped("The hook and the agent itself were", "the hook server does not run")
        return
    instructions = check_loaded_instructions(agent)
    if instructions is not None:
        yield instructions
    canary = hook_canary(agent, files)
    yield canary
    if program is None or not runs_agents or agent not in _LIVE:
        return
    if canary.verdict == "failed":
        yield _skipped("The agent itself was", "the hook lets calls through")
        return
    if agent == "codex":
        running = _codex(program)
        yield running
        if running.verdict == "failed":
            yield _skipped("The agent itself was", "Codex does not run the hooks")
            return
    yield _live(agent, program, files)


def _skipped(what: str, reason: str) -> DoctorCheck:
    return DoctorCheck(f"{what} not tried, because {reason}.", is_skipped=True)


def _codex(program: str) -> DoctorCheck:
    try:
        return check_codex_hooks(ask_codex(program, Path.cwd()))
    except (OSError, ValueError) as error:
        return DoctorCheck("Codex does not say which hooks it runs.", f"{error}.", is_warning=True)


def _version(agent: str, program: str) -> DoctorCheck:
    try:
        match = _VERSION.search(version_output(program))
    except (OSError, ValueError) as error:
        return DoctorCheck(f"`{program} --version` failed.", f"Repair the installation: {error}.")
    version = match[0] if match else "an unknown version"
    tested = TESTED.get(agent)
    if tested is None:
        return DoctorCheck(f"{version} is installed.", "Its hooks were not tried with a real agent.", is_warning=True)
    if match and _numbers(version) < _numbers(tested):
        return DoctorCheck(f"{version} is installed.", f"It is older than {tested}, which was tested: update it.")
    remedy = "" if version == tested else f"Hooks were tested with {tested}."
    return DoctorCheck(f"{version} is installed.", remedy, is_warning=True)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part[:9]) for part in version.split("."))


def _live(agent: str, program: str, files: HookFiles) -> DoctorCheck:
    result = was_denied(agent, program, files.project_settings(agent), files.forget_workspace)
    if result is True:
        return DoctorCheck(
            "The agent itself, with a model on loopback, was denied a call that the doctor's rule forbids."
        )
    if result is False:
        trust = "It may skip hooks that are not trusted: run `codex`, then `/hooks`." if agent == "codex" else ""
        remedy = trust or "Check its settings for keys that disable hooks; `claude --debug hooks` shows them run."
        return DoctorCheck(
            "The agent itself was not denied a call that the doctor's rule forbids: rules are not enforced in it.",
            remedy,
        )
    return DoctorCheck(
        "The agent itself could not be tried.", f"{result}. `--no-agent` leaves this out.", is_warning=True
    )
