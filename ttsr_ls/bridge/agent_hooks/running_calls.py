"""The tool calls of a hook session that have no result yet."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.bridge.agent_hooks.hook_call import HookCall
from ttsr_ls.put_bounded import put_bounded

MAX_RUNNING = 256
"""How many calls may run at the same time."""


class _RunningCall(Struct, frozen=True):
    """The agent of a call, the ids that it is recorded with, and its argument `prompt`; blank if it has none."""

    agent: str
    identities: tuple[str, ...]
    prompt: str


class RunningCalls:
    """The calls without a result, by their ids in hooks."""

    def __init__(self) -> None:
        self._calls: dict[str, _RunningCall] = {}

    def add(self, call: HookCall, identities: tuple[str, ...]) -> None:
        """Adds a call that is recorded with these ids: a patch is recorded as one call for each file."""
        prompt = call.arguments.get("prompt")
        running = _RunningCall(call.agent, identities, prompt if isinstance(prompt, str) else "")
        put_bounded(self._calls, call.call, running, MAX_RUNNING)

    def end(self, call: str) -> tuple[str, ...]:
        """Removes a call. Returns the ids that it is recorded with."""
        running = self._calls.pop(call, None)
        return (call,) if running is None else running.identities

    def end_all_of(self, agent: str) -> tuple[str, ...]:
        """Removes the calls of an agent. Returns the ids that they are recorded with."""
        calls = [call for call, running in self._calls.items() if running.agent == agent]
        return tuple(identity for call in calls for identity in self._calls.pop(call).identities)

    def has_prompt(self, text: str) -> bool:
        """Returns whether a running call starts a subagent with the prompt `text`."""
        return bool(text) and any(running.prompt == text for running in self._calls.values())

    def clear(self) -> None:
        """Removes all calls."""
        self._calls.clear()
