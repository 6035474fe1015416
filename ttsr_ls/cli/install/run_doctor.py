"""Runs `doctor`: checks the hooks step by step; each failure has a remedy."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator
from pathlib import Path

from ttsr_ls.bridge.agent_hooks.canary.canary_calls import canary_calls, join_titles
from ttsr_ls.bridge.agent_hooks.hooked_agents import AGENTS
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.hooks.starting import server_state
from ttsr_ls.cli.install.checks.rule_checks import check_rules, check_rules_for_hooks
from ttsr_ls.cli.install.checks.server_check import check_server
from ttsr_ls.cli.install.checks.version_check import check_version
from ttsr_ls.cli.install.codex_checks import check_codex_hooks
from ttsr_ls.cli.install.codex_inquiry import ask_codex
from ttsr_ls.cli.install.doctor_report import DoctorCheck, print_sections, print_sections_json
from ttsr_ls.cli.install.hook_canary import hook_canary
from ttsr_ls.cli.install.hook_files import HookFiles, check_known, found_agents, program_of
from ttsr_ls.cli.install.live_canary import try_calls
from ttsr_ls.cli.install.loaded_instructions import check_loaded_instructions
from ttsr_ls.cli.install.settings_checks import check_settings
from ttsr_ls.cli.printing.output import write_note
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.local_rules import LocalRules, rules_at

_LIVE = frozenset({"claude", "codex", "gemini"})


def run_doctor(args: argparse.Namespace) -> int:
    """Runs the checks and reports. The status is 1 if one fails. Raises UsageError."""
    check_known(args.agents)
    planned = HookFiles(keeps_address=False)
    files = HookFiles() if planned.has_hooks else planned
    found = () if args.agents else found_agents()
    agents = tuple(args.agents) or tuple(filter(files.is_set_up, found))
    result = (print_sections_json if args.format == "json" else print_sections)(
        _sections(agents, files, runs_agents=not args.no_agent)
    )
    if not args.agents and not found:
        programs = ", ".join(map(program_of, AGENTS))
        write_note(f"no agent was checked, because none of these programs is on the PATH: {programs}")
    elif not agents:
        write_note(f"no agent was checked, because none is set up; 'ttsr-ls install {found[0]}' installs its hooks")
    elif result.has_tried_hooks and args.format != "json":
        write_note(
            "the doctor tries a rule of its own; to see which of yours fire on a call, run "
            "'ttsr-ls test CODE --tool write --path FILE'"
        )
    if agents and not args.agents and (others := [agent for agent in found if agent not in agents]):
        titles = ", ".join(AGENTS[agent].title for agent in others)
        write_note(f"not checked, because hooks were never installed: {titles} ('ttsr-ls install {' '.join(others)}')")
    return ExitCode.OK if result.is_passed else ExitCode.FINDINGS


def _sections(
    agents: tuple[str, ...], files: HookFiles, *, runs_agents: bool
) -> Iterator[tuple[str, Iterator[DoctorCheck]]]:
    rules = rules_at(AgentEnvironment.current())  # Once: hostile ones take long to read.
    yield "Rules and server", _common(rules, files)
    for agent in agents:
        yield AGENTS[agent].title, _agent(rules, agent, files, runs_agents=runs_agents)


def _common(rules: LocalRules, files: HookFiles) -> Iterator[DoctorCheck]:
    yield from check_rules(rules)
    yield from check_server(files)


def _agent(rules: LocalRules, agent: str, files: HookFiles, *, runs_agents: bool) -> Iterator[DoctorCheck]:
    program = shutil.which(program_of(agent))
    if program is None:
        yield DoctorCheck(
            f"`{program_of(agent)}` is not on the PATH.", "Install it, or check another agent.", is_warning=True
        )
    else:
        yield check_version(program_of(agent), program)
    yield from check_rules_for_hooks(rules, agent, AGENTS[agent].title)
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


def _live(agent: str, program: str, files: HookFiles) -> DoctorCheck:
    settings = files.project_settings(agent)
    tried = try_calls(agent, program, canary_calls(agent), settings, files.forget_workspace)
    if isinstance(tried, str):
        what, remedy = "The agent itself could not be tried.", f"{tried}. `--no-agent` leaves this out."
        return DoctorCheck(what, remedy, is_warning=True)
    if not tried.undenied:
        denied = join_titles(tried.made)
        what = "The agent itself, with a model on loopback, was denied calls that the doctor's rules forbid:"
        return DoctorCheck(f"{what} {denied}.")
    remedy = f"Update it: {AGENTS[agent].title} does not report these calls to its hooks."
    if tried.undenied == tried.made:
        trust = "It may skip hooks that are not trusted: run `codex`, then `/hooks`."
        keys = "Check its settings for keys that disable hooks; `claude --debug hooks` shows them run."
        remedy = trust if agent == "codex" else keys
    return DoctorCheck(
        f"The agent itself was not denied calls that the doctor's rules forbid: {join_titles(tried.undenied)}. Rules "
        "are not enforced on them.",
        remedy,
    )
