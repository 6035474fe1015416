"""What a run of an agent behind the proxy needs: its upstreams, then its command with the proxy's addresses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

BaseAddress = Callable[[str, str], str]
"""Gives the proxy's base address for an upstream, with a path of the API behind it."""


class AgentCommand(Struct, frozen=True):
    """How the agent is started: its command, and changes of the environment."""

    command: tuple[str, ...]
    environ: Mapping[str, str]


class LaunchPlan(Struct, frozen=True):
    """The plan for one agent. `upstreams` are the addresses by name; `build` is called when the proxy listens.

    `unseen` are sentences on what the proxy does not see of this agent.
    """

    upstreams: Mapping[str, str]
    build: Callable[[BaseAddress], AgentCommand]
    unseen: tuple[str, ...] = ()


class LaunchRequest(Struct, frozen=True):
    """What a person asks for: the agent's program with its arguments, where it runs, and a folder for one run."""

    program: str
    arguments: Sequence[str]
    environ: Mapping[str, str]
    home: Path
    cwd: Path
    scratch: Path
