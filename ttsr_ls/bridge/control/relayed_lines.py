"""The results of a relay between an agent and its client, and its reports of lines that it cannot read. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable

from msgspec import Struct

from ttsr_ls.bridge.control.controller import Controller
from ttsr_ls.bridge.control.driver import LineToAgent
from ttsr_ls.bridge.control.reaction import Reaction
from ttsr_ls.bridge.control.views import AgentTrouble, RunView
from ttsr_ls.bridge.watch.notices import SkippedInputNotice

MAX_UNREADABLE = 20
"""The most unreadable lines that are reported."""


class RelayedLines(Struct, frozen=True):
    """The result of handling a line: lines for the agent and for its client, without their line ends, and views."""

    to_agent: tuple[bytes, ...] = ()
    to_client: tuple[bytes, ...] = ()
    views: tuple[RunView, ...] = ()


def join_lines(results: Iterable[RelayedLines]) -> RelayedLines:
    """Joins results, each kind in order."""
    relayed = list(results)
    return RelayedLines(
        tuple(line for lines in relayed for line in lines.to_agent),
        tuple(line for lines in relayed for line in lines.to_client),
        tuple(view for lines in relayed for view in lines.views),
    )


def encoded_messages(reaction: Reaction) -> tuple[bytes, ...]:
    """Returns the messages of a controller to its agent as lines."""
    return tuple(json.dumps(item.content).encode() for item in reaction.outgoing if isinstance(item, LineToAgent))


def end_of_enforcement(reason: str) -> AgentTrouble:
    """Returns the view of a controller that failed for `reason`, a sentence."""
    return AgentTrouble(f"{reason} Rules are no longer enforced in this session.")


def request_key(identity: object) -> str:
    """Returns a key for the id of a request, which may be any JSON value."""
    return json.dumps(identity, default=str)


class UnreadableLines:
    """Reports input that could not be read, up to `MAX_UNREADABLE` lines."""

    __slots__ = ("_count",)

    def __init__(self) -> None:
        self._count = 0

    def report(self, message: str, controllers: Iterable[Controller], now: int) -> tuple[RunView, ...]:
        """Reports a line, a full sentence, and records it in all sessions, because its session is unknown.

        `now` is in milliseconds since the Unix epoch.
        """
        self._count += 1
        if self._count > MAX_UNREADABLE:
            return ()
        if self._count == MAX_UNREADABLE:
            message = f"{message} Further lines that cannot be read are not reported."
        notices = [notice for controller in controllers for notice in controller.skip(message, now)]
        return (AgentTrouble(message), *(notice for notice in notices if not isinstance(notice, SkippedInputNotice)))
