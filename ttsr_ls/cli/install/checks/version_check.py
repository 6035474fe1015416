"""The check of `doctor` of an agent's version: against the tested ones, and against the oldest that works."""

from __future__ import annotations

import re

from ttsr_ls.cli.install.agent_version import version_output
from ttsr_ls.cli.install.doctor_report import DoctorCheck

TESTED = {
    "claude": ("2.1.329", "2.1.332"),
    "codex": ("0.169.0", "0.171.0"),
    "gemini": ("0.61.0", "0.61.0"),
    "code": ("1.139.1", "1.139.1"),
    "copilot": ("1.0.102", "1.0.102"),
}
"""The oldest and the newest version of each agent that hooks were tested with, by the name of its program."""

OLDEST = {
    "claude": ("2.1.69", "hooks by HTTP, or the event `InstructionsLoaded`"),
    "codex": ("0.124.0", "hooks that are switched on without a setting and see patches"),
    "gemini": ("0.26.0", "hooks that are switched on without a setting"),
    "code": ("1.109.0", "hooks"),
    "copilot": ("1.0.51", "reminders in the results of calls"),
}
"""The first version of each agent that has what the hooks need, and what earlier ones lack, as the agents' notes on
their releases say."""

_UPDATES = {
    "claude": "claude update",
    "codex": "npm install -g @openai/codex@latest",
    "gemini": "npm install -g @google/gemini-cli@latest",
    "copilot": "npm install -g @github/copilot@latest",
}
_VERSION = re.compile(r"\d+(?:\.\d+)+")


def check_version(name: str, program: str) -> DoctorCheck:
    """Checks the version of the agent whose program is called `name` and is at the path `program`."""
    try:
        match = _VERSION.search(version_output(program))
    except (OSError, ValueError) as error:
        return DoctorCheck(f"`{program} --version` failed.", f"Repair the installation: {error}.")
    version = match[0] if match else "an unknown version"
    tested = TESTED.get(name)
    if tested is None:
        return DoctorCheck(f"{version} is installed.", "Its hooks were not tried with a real agent.", is_warning=True)
    oldest, lacking = OLDEST[name]
    if match and _numbers(version) < _numbers(oldest):
        return DoctorCheck(
            f"{version} is installed, which lacks {lacking}.",
            f"Update it to {oldest} or later{f', as by `{_UPDATES[name]}`' if name in _UPDATES else ''}.",
        )
    first, last = tested
    if match and _numbers(first) <= _numbers(version) <= _numbers(last):
        return DoctorCheck(f"{version} is installed.")
    is_older = match and _numbers(version) < _numbers(first)
    problem = f"It is older than {first}, which was tested." if is_older else f"Hooks were tested up to {last}."
    return DoctorCheck(f"{version} is installed.", problem, is_warning=True)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part[:9]) for part in version.split("."))
