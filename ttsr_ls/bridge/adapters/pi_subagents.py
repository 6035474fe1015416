"""Names of the subagents of oh-my-pi, and which of them are running."""

from __future__ import annotations

from ttsr_ls.session.history.turn_events import MAIN_AGENT


def subagent_name(identity: str) -> str:
    """Returns the name of a subagent among the agents of its session: its id, which the model may choose."""
    return f"subagent {identity}" if identity == MAIN_AGENT else identity


class RunningSubagents:
    """The names of the running subagents. Of more than `limit`, the oldest count as ended."""

    __slots__ = ("_limit", "_names")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._names: dict[str, None] = {}

    def __bool__(self) -> bool:
        return bool(self._names)

    def add(self, name: str) -> None:
        """Adds a subagent that starts."""
        self._names[name] = None
        if len(self._names) > self._limit:
            del self._names[next(iter(self._names))]

    def discard(self, name: str) -> None:
        """Removes a subagent that ended."""
        self._names.pop(name, None)
