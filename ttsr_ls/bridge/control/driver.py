"""What the controller knows of an agent: the messages that start, prompt, interrupt, rewind and inject.

A driver knows one protocol and nothing else: no process, no clock, no rules. It plans in steps, because most of what is
asked of an agent takes several messages, each after the answer to the one before.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import Enum
from pathlib import PurePath

from msgspec import Struct

from ttsr_ls.bridge.adapters.wire_values import JsonObject
from ttsr_ls.errors import TtsrError
from ttsr_ls.rules.stream import Source


class AgentRefusedError(TtsrError):
    """The agent answered a request with an error."""


class LineToAgent(Struct, frozen=True):
    """A JSON object for the agent's standard input, on a line of its own."""

    content: JsonObject


class HttpCall(Struct, frozen=True):
    """A request to the HTTP server of the agent. Its answer comes as a message with the same `key` under `http`."""

    key: str
    method: str
    path: str
    body: JsonObject | None = None


ToAgent = LineToAgent | HttpCall


class PlanStep(Struct, frozen=True):
    """Messages to the agent, made when the step before is answered; `is_answered` finds the answer to them.

    `is_answered` raises AgentRefusedError where the agent says that it will not. A step that `is_done` when its turn
    comes is left out.
    """

    name: str
    make: Callable[[], tuple[ToAgent, ...]]
    is_answered: Callable[[JsonObject], bool]
    is_done: Callable[[], bool] = lambda: False


Plan = tuple[PlanStep, ...]


class Rewinding(Enum):
    """How far an agent can take back what it answered, so that its model does not see it again."""

    NEVER = "not at all"
    ANSWER = "the interrupted answer"
    TURN = "the whole turn, with its prompt"


class Capabilities(Struct, frozen=True):
    """What an agent can do. `limits` are sentences for people on what it cannot.

    `keeps`: what was shown of an interrupted answer stays in the history. `steers`: one message interrupts and injects.
    `queues`: a message can wait for the agent's next request. `calls_wait`: a tool call is seen before it runs, so that
    an interrupt can prevent it.
    """

    rewinding: Rewinding
    keeps: bool
    steers: bool
    queues: bool
    calls_wait: bool
    limits: tuple[str, ...] = ()


class AgentDriver(ABC):
    """One session of one agent. `cwd` is its folder, `version` that of this program."""

    capabilities: Capabilities
    lag = 2_000
    """How long events may come after the agent said that it is idle, in milliseconds."""

    def __init__(self, cwd: PurePath, version: str) -> None:
        self._cwd = cwd
        self._version = version
        self._requests = 0
        self.is_forbidden: Callable[[str], bool] = lambda _: False
        """Whether a rule forbids the tool call with this id."""
        self.approves = False
        """Whether the agent may run what it asks about, where no rule forbids it."""
        self.notes: list[str] = []
        """Sentences for people that were not shown yet."""

    @abstractmethod
    def start(self) -> Plan:
        """Makes the agent ready for a prompt."""

    @abstractmethod
    def prompt(self, text: str) -> PlanStep:
        """Sets the agent off."""

    @abstractmethod
    def interrupt(self) -> Plan:
        """Cuts off the answer under way. The last step is answered when the agent has stopped."""

    def rewind(self) -> Plan:
        """Takes back as much as the capabilities say, after an interrupt."""
        return ()

    @property
    def took_back(self) -> bool:
        """Whether the last interrupt came before the end of the answer, so that it was taken back."""
        return True

    def inject(self, text: str) -> PlanStep:
        """Tells the interrupted agent something and lets it go on."""
        return self.prompt(text)

    def steer(self, text: str) -> PlanStep:
        """Interrupts and injects by one message, where the capabilities say so."""
        return self.prompt(text)

    def remind(self, text: str) -> Plan:
        """Tells the agent something before its next request, where the capabilities say so."""
        return (self.prompt(text),)

    @abstractmethod
    def receive(self, message: JsonObject) -> tuple[ToAgent, ...]:
        """Learns from a message of the agent; the answers to what it asks."""

    @property
    def calls_wait(self) -> bool:
        """A tool call is seen before it runs, so that an interrupt or a refusal prevents it."""
        return self.capabilities.calls_wait

    def can_interrupt(self, source: Source, *, has_run_call: bool) -> bool:
        """Whether output of `source` can be interrupted now; else its rules are injected after the turn.

        `has_run_call`: a tool call of the turn has run.
        """
        return True

    @property
    def has_queued(self) -> bool:
        """A message of ours waits until the agent is done with its turn."""
        return False

    @property
    def stopped(self) -> str | None:
        """Why the agent is idle, in a sentence, where it says so apart from its events; None: it does not say."""
        return None

    @property
    def is_settled(self) -> bool:
        """Nothing is under way that the events of the agent do not show, such as a retry after an error."""
        return True

    def may_run(self, call: str, what: str) -> bool:
        """The answer to an agent that asks whether it may run a tool call; `what` is it for people."""
        if self.is_forbidden(call):
            return False
        if not self.approves:
            self.notes.append(f"The agent asked for permission and was refused: {what}. Pass --approve to permit.")
        return self.approves

    def taken_notes(self) -> list[str]:
        """The sentences for people since the last call."""
        notes, self.notes = self.notes, []
        return notes

    def taken_lines(self) -> list[bytes]:
        """Lines that the agent's protocol has and this agent leaves out, since the last call."""
        return []

    def next_id(self) -> int:
        """An id for a request that was not used before."""
        self._requests += 1
        return self._requests
