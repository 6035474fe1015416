"""The interface of an agent's protocol: the messages that start, prompt, interrupt, rewind, and inject.

A driver knows one protocol and nothing else: no process, no clock, no rules. It plans in steps, because most operations
take several messages, each sent after the answer to the previous one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import Enum
from pathlib import PurePath
from typing import TypeVar

from msgspec import Struct

from ttsr_ls.bridge.wire.json_lines import JsonObject
from ttsr_ls.errors import TtsrError
from ttsr_ls.rules.stream import Source

_T = TypeVar("_T")


class AgentRefusedError(TtsrError):
    """The agent answered a request with an error."""


class LineToAgent(Struct, frozen=True):
    """A JSON object for the agent's standard input, on a line of its own."""

    content: JsonObject


class HttpCall(Struct, frozen=True):
    """A request to the HTTP server of the agent. Its answer is a message whose field `http` has the same `key`."""

    key: str
    method: str
    path: str
    body: JsonObject | None = None


ToAgent = LineToAgent | HttpCall


class PlanStep(Struct, frozen=True):
    """Messages to the agent, built when the previous step is answered; `is_answered` recognises their answer.

    `is_answered` raises AgentRefusedError if the agent refuses. It accepts an empty message if the step needs no
    answer. A step that `is_done` before it is sent is skipped.
    """

    name: str
    make: Callable[[], tuple[ToAgent, ...]]
    is_answered: Callable[[JsonObject], bool]
    is_done: Callable[[], bool] = lambda: False


Plan = tuple[PlanStep, ...]


class Rewinding(Enum):
    """The part of its output that an agent can remove from its history, so that its model does not see it again."""

    NEVER = "not at all"
    ANSWER = "the interrupted answer"
    TURN = "the whole turn, with its prompt"


class Capabilities(Struct, frozen=True):
    """The capabilities of an agent. `limits` are sentences for the user about what it cannot do.

    `keeps`: the shown part of an interrupted answer stays in the history. `steers`: one message interrupts and injects.
    `queues`: a message can wait for the agent's next request. `asks_before_calls`: a tool call is reported before it
    runs, so that an interrupt or a refusal can prevent it.
    """

    rewinding: Rewinding
    keeps: bool
    steers: bool
    queues: bool
    asks_before_calls: bool
    limits: tuple[str, ...] = ()


class AgentDriver(ABC):
    """One session of one agent. `cwd` is its folder, `version` that of this program."""

    capabilities: Capabilities
    lag = 2_000
    """How long events may still come after the agent reported that it is idle, in milliseconds."""

    def __init__(self, cwd: PurePath, version: str) -> None:
        self._cwd = cwd
        self._version = version
        self._requests = 0
        self.is_forbidden: Callable[[str], bool] = lambda _: False
        """Returns whether a rule forbids the tool call with this id."""
        self.approves = False
        """True if tool calls for which the agent asks permission may run, unless a rule forbids them."""
        self.has_permitted_call = False
        """True if a tool call of this turn may run, because the agent asked; its result may not be known yet."""
        self.pause_between_turns = 0.0
        """How long the agent may be idle before it begins another turn by itself, in seconds."""
        self.notes: list[str] = []
        """Sentences for the user that were not shown yet."""
        self.limits: list[str] = []
        """Sentences on the limits of the agent's mode, which is known after its start."""
        self.command_output: list[str] = []
        """Texts of the agent's program that no model wrote, such as the output of `/cost`, until they are shown."""
        self.omitted_lines: list[bytes] = []
        """Lines that the agent's protocol prescribes but this agent omits, until they are taken."""

    @abstractmethod
    def start(self) -> Plan:
        """Returns the steps that initialise the agent, so that it accepts a prompt."""

    @abstractmethod
    def prompt(self, text: str) -> PlanStep:
        """Returns the steps that send a prompt to the agent."""

    @abstractmethod
    def interrupt(self) -> Plan:
        """Returns the steps that interrupt the current answer. The last step is answered when the agent has stopped."""

    def rewind(self) -> Plan:
        """Returns the steps that remove output from the history after an interrupt, as far as `rewinding` says."""
        return ()

    @property
    def has_removed_answer(self) -> bool:
        """True if the last interrupt removed the answer from the history, because it came before the answer's end."""
        return True

    def inject(self, text: str) -> PlanStep:
        """Returns the step that sends a text to the interrupted agent and lets it continue."""
        return self.prompt(text)

    def steer(self, text: str) -> PlanStep:
        """Returns the step that interrupts and injects with one message. Only if the capabilities say `steers`."""
        return self.prompt(text)

    def remind(self, text: str) -> Plan:
        """Returns the steps that add a text to the agent's next request. Only if the capabilities say `queues`."""
        return (self.prompt(text),)

    @abstractmethod
    def receive(self, message: JsonObject) -> tuple[ToAgent, ...]:
        """Updates the state from a message of the agent. Returns the answers to the agent's own requests."""

    @property
    def asks_before_calls(self) -> bool:
        """True if a tool call is reported before it runs, so that an interrupt or a refusal prevents it."""
        return self.capabilities.asks_before_calls

    def can_interrupt(self, source: Source, *, has_run_call: bool) -> bool:
        """Returns whether output of `source` can be interrupted now; else its rules are injected after the turn.

        `has_run_call`: a tool call of the turn has run.
        """
        return True

    @property
    def has_queued_message(self) -> bool:
        """True if a message of this program waits until the agent ends its turn."""
        return False

    @property
    def idle_reason(self) -> str | None:
        """The reason why the agent is idle, a sentence, if the agent reports one outside of its events; else None."""
        return None

    @property
    def is_quiescent(self) -> bool:
        """True unless the agent is busy without events, for example with a retry after an error."""
        return True

    def allows_call(self, call_id: str, kind: str) -> bool:
        """Returns the answer to an agent's request to run a tool call; `kind` describes the call for the user."""
        if self.is_forbidden(call_id):
            return False
        if not self.approves:
            self.notes.append(f"The agent asked for permission and was refused: {kind}. Pass --approve to permit.")
        self.has_permitted_call |= self.approves
        return self.approves

    def permits_call(self, call_id: str) -> bool:
        """Returns whether no rule forbids a tool call, for agents that ask about each call before it runs."""
        is_permitted = not self.is_forbidden(call_id)
        self.has_permitted_call |= is_permitted
        return is_permitted

    def next_id(self) -> int:
        """Returns an unused id for a request."""
        self._requests += 1
        return self._requests


def take(items: list[_T]) -> list[_T]:
    """Returns the items of a list, such as `notes` of a driver, and removes them from it."""
    taken = items.copy()
    items.clear()
    return taken
