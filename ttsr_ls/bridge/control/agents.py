"""The agents that can be run, with their commands, drivers, and adapters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from ttsr_ls.bridge.control.driver import AgentDriver
from ttsr_ls.bridge.control.drivers.claude import ARGUMENTS, ClaudeDriver
from ttsr_ls.bridge.control.drivers.codex import CodexDriver
from ttsr_ls.bridge.control.drivers.gemini import GeminiDriver
from ttsr_ls.bridge.control.drivers.opencode import OpencodeDriver
from ttsr_ls.bridge.control.drivers.pi import OmpDriver, PiDriver
from ttsr_ls.bridge.control.running import AgentTransport
from ttsr_ls.bridge.control.transports.agent_process import AgentProcess
from ttsr_ls.bridge.control.transports.agent_server import AgentServer

_OMP_SETTINGS = Path(__file__).with_name("omp.yml")
"""Switches off oh-my-pi's own rules, which would be applied twice."""
_ASK_BEFORE_CALLS = Path(__file__).with_name("ask_before_calls.js")
"""An extension that makes pi and oh-my-pi ask before each tool call, and wait for the answer."""


class ControlledAgent(Struct, frozen=True):
    """An agent. `program` is its name on the PATH; `arguments` adds the program's arguments to those of the user;
    `source` is the name of the adapter for its output."""

    title: str
    program: str
    source: str
    arguments: Callable[[Sequence[str]], list[str]]
    driver: type[AgentDriver]
    transport: Callable[[Sequence[str], Path, Mapping[str, str]], AgentTransport] = AgentProcess


CONTROLLED = {
    "claude": ControlledAgent("Claude Code", "claude", "claude", lambda added: [*ARGUMENTS, *added], ClaudeDriver),
    "codex": ControlledAgent("Codex", "codex", "codex-app-server", lambda added: [*added, "app-server"], CodexDriver),
    "gemini": ControlledAgent("Gemini CLI", "gemini", "acp", lambda added: ["--acp", *added], GeminiDriver),
    "opencode": ControlledAgent(
        "opencode",
        "opencode",
        "opencode",
        lambda added: ["serve", "--hostname", "127.0.0.1", "--port", "0", *added],
        OpencodeDriver,
        AgentServer,
    ),
    "pi": ControlledAgent(
        "pi", "pi", "pi", lambda added: ["--mode", "rpc", "--extension", str(_ASK_BEFORE_CALLS), *added], PiDriver
    ),
    "omp": ControlledAgent(
        "oh-my-pi",
        "omp",
        "omp",
        lambda added: [
            *("--mode", "rpc", "--config", str(_OMP_SETTINGS), "--extension", str(_ASK_BEFORE_CALLS)),
            *added,
        ],
        OmpDriver,
    ),
}
"""Every agent by its name."""
