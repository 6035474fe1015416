"""The plan for a run of an agent behind the proxy: its upstreams, and its command with the proxy's addresses."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

BaseAddress = Callable[[str, str], str]
"""Returns the proxy's base address for the upstream of that name, followed by a path of the API."""


class AgentCommand(Struct, frozen=True):
    """The command that starts the agent, and changes of its environment."""

    command: tuple[str, ...]
    environ: Mapping[str, str]


class LaunchPlan(Struct, frozen=True):
    """The plan for one agent. `upstreams` are the addresses by name; `build` is called when the proxy listens.

    `unseen` are sentences on what the proxy does not see of this agent.
    """

    upstreams: Mapping[str, str]
    build: Callable[[BaseAddress], AgentCommand]
    unseen: tuple[str, ...] = ()


def upstream_name(provider: str) -> str:
    """Returns the name of a provider's upstream in the proxy's addresses."""
    return re.sub(r"[^a-z0-9_-]+", "-", provider.lower())[:40]


class LaunchRequest(Struct, frozen=True):
    """The user's request: the agent's program with its arguments, its working folder, and a scratch folder."""

    program: str
    arguments: Sequence[str]
    environ: Mapping[str, str]
    home: Path
    cwd: Path
    scratch: Path
