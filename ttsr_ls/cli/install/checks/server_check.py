"""The check of `doctor` of the hook server: whether it answers, else the cause, and its repair."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import assert_never

from ttsr_ls.bridge.agent_hooks.hooked_agents import AGENTS
from ttsr_ls.cli.hooks.starting import ServerFault, ask_server, ensure_running
from ttsr_ls.cli.install.doctor_report import DoctorCheck
from ttsr_ls.cli.install.hook_files import HookFiles
from ttsr_ls.errors import UsageError
from ttsr_ls.store.hook_server_file import LOOPBACK
from ttsr_ls.store.log.session_dirs import state_home
from ttsr_ls.store.open_hook_sessions import open_hook_sessions


def check_server(files: HookFiles) -> Iterator[DoctorCheck]:
    """Checks the hook server, and starts it where hooks need it and nothing listens on its port."""
    address = files.server
    state = ask_server(address)
    if isinstance(state, ServerFault) and not files.has_hooks:
        yield DoctorCheck("The hook server is not running. No hooks need it, because none are installed.")
        return
    if isinstance(state, ServerFault):
        yield from _lost_sessions()
    if state is ServerFault.NOT_LISTENING:
        try:
            ensure_running(address)
            state = ask_server(address)
            yield DoctorCheck(
                f"The hook server was not running; it was started on {LOOPBACK}:{address.port}.",
                "An agent's SessionStart hook starts it.",
                is_warning=True,
            )
        except UsageError as error:
            yield DoctorCheck("The hook server is not running.", str(error))
            return
    if isinstance(state, ServerFault):
        yield fault_check(state, files)
        return
    failures = state.get("failed", 0)
    remedy = f"{failures} calls were not checked: run `ttsr-ls hooks serve` in a terminal to see why."
    yield DoctorCheck(f"The hook server answers on {LOOPBACK}:{address.port}.", remedy if failures else "")
    if not files.is_state_writable:
        yield DoctorCheck(
            f"{files.client.parent} cannot be written: sessions are not recorded, and editors show no triggers.",
            f"Run `chmod -R u+w {files.client.parent}`.",
            is_warning=True,
        )


def _lost_sessions() -> Iterator[DoctorCheck]:
    lost = open_hook_sessions(state_home(os.environ, Path.home()))
    if lost:
        agents = ", ".join(sorted({session.agent for session in lost}))
        yield DoctorCheck(
            f"The hook server ended while a session of {agents} was open, and calls were not checked since.",
            "Look at what these sessions did since; their next calls are checked as soon as the server runs.",
            is_warning=True,
        )


def fault_check(fault: ServerFault, files: HookFiles) -> DoctorCheck:
    """The failed check of a server that cannot be used."""
    place = f"{LOOPBACK}:{files.server.port}"
    installing = f"Run `{install_command(files)}`: it moves the hooks to a free port."
    match fault:
        case ServerFault.NOT_LISTENING:
            return DoctorCheck("The hook server ended at once.", "Run `ttsr-ls hooks serve` to see why.")
        case ServerFault.NO_ANSWER:
            return DoctorCheck(f"The program that listens on {place} does not answer.", installing)
        case ServerFault.WRONG_TOKEN:
            what = f"The hook server on {place} does not accept the token in {files.client.parent}/server.json."
            return DoctorCheck(f"{what} It belongs to another state folder or user.", installing)
        case ServerFault.FOREIGN:
            return DoctorCheck(
                f"The hook server is not running: another program listens on {place}.", f"End it, or: {installing}"
            )
    assert_never(fault)


def install_command(files: HookFiles) -> str:
    """The commands that install the hooks again wherever this user and this project have them."""
    of_user = [agent for agent in AGENTS if files.mentions_hooks(files.settings_file(agent, project=False))]
    of_project = [
        agent
        for agent, hooks in AGENTS.items()
        if hooks.project_file and files.mentions_hooks(files.settings_file(agent, project=True))
    ]
    commands = [f"ttsr-ls install {' '.join(of_user)}"] if of_user else []
    commands += [f"ttsr-ls install --project {' '.join(of_project)}"] if of_project else []
    return " && ".join(commands) or "ttsr-ls install --all"
