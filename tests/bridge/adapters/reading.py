"""Reads lines of Claude Code to agent events."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from tests.bridge.adapters.claude_stream import to_bytes
from ttsr_ls.bridge.adapters.claude.adapter import ClaudeAdapter
from ttsr_ls.bridge.adapters.limits import ADAPTER_LIMITS, AdapterLimits
from ttsr_ls.session.output.agent_events import AgentDelta, AgentEvent


def read(*lines: Any, limits: AdapterLimits = ADAPTER_LIMITS) -> list[AgentEvent]:
    flat = [item for line in lines for item in (line if isinstance(line, list) else [line])]
    adapter = ClaudeAdapter(PurePosixPath("/home/dev/shop"), limits)
    return adapter.feed(to_bytes(flat)) + adapter.finish()


def streamed(events: list[AgentEvent]) -> list[AgentDelta]:
    return [item for item in events if isinstance(item, AgentDelta)]


def only(events: list[AgentEvent], *kinds: type) -> list[AgentEvent]:
    return [item for item in events if isinstance(item, kinds)]
