"""The agents whose streams can be read, by the name that people give them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

from ttsr_ls.bridge.adapters.claude import ClaudeAdapter
from ttsr_ls.session.output.agent_events import Adapter

ADAPTERS: dict[str, Callable[[PurePath | None], Adapter]] = {"claude": ClaudeAdapter}
"""For each agent what makes its adapter; the argument is the folder that relative paths are taken from, None where the
stream itself says it."""
