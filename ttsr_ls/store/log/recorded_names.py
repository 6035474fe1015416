"""Reads the agents' names of sessions, and the names of the sessions' rules, from session logs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from ttsr_ls.session.history.turn_events import AgentSessionIdentified, RulesLoaded
from ttsr_ls.store.files.bounded_file import open_regular
from ttsr_ls.store.log.codec import CodecError, decode_record

_Event = TypeVar("_Event", AgentSessionIdentified, RulesLoaded)

_MAX_LENGTH = {AgentSessionIdentified: 64 * 1024, RulesLoaded: 4 * 1024 * 1024}
"""The longest such records, in bytes. Longer lines are read in parts, which are no valid records."""


def agent_session_names(log: Path) -> tuple[str, ...]:
    """Returns the names that the agent gave the sessions of a log, the first one first; none if it cannot be read."""
    return tuple(dict.fromkeys(event.session for event in _events(log, AgentSessionIdentified)))


def recorded_rule_names(log: Path) -> frozenset[str]:
    """Returns the names of all rules that the sessions of a log have had; none if it cannot be read."""
    return frozenset(rule.name for event in _events(log, RulesLoaded) for rule in event.rules)


def _events(log: Path, kind: type[_Event]) -> Iterator[_Event]:
    name, max_length = f'"{kind.__name__}"'.encode(), _MAX_LENGTH[kind]
    try:
        with os.fdopen(open_regular(log), "rb") as file:
            while line := file.readline(max_length):
                if name in line and (event := _event(line, kind)) is not None:
                    yield event
    except OSError:
        pass


def _event(line: bytes, kind: type[_Event]) -> _Event | None:
    try:
        event = decode_record(line).event
    except CodecError:
        return None
    return event if isinstance(event, kind) else None
