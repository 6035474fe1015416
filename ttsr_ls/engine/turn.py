"""Turns, the unit of history (seed 003): a turn is what one trigger set off, and it consists of steps.

Pure values, no provider's spelling. Everything here is written to session logs: what is added later needs a default.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ttsr_ls.engine.retry import Role
from ttsr_ls.engine.settings import ContextMode
from ttsr_ls.engine.turn_output import Image, Output, ToolItem

# What set a turn off.


@dataclass(frozen=True, slots=True)
class UserInput:
    """A person's prompt."""

    text: str
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class Scheduled:
    """A task that was due."""

    text: str


@dataclass(frozen=True, slots=True)
class FromAgent:
    """Another agent's message; `sender` is its address."""

    sender: str
    text: str


@dataclass(frozen=True, slots=True)
class FromChannel:
    """A message that `sender` put into a channel; `channel` is its name without `#`."""

    channel: str
    sender: str
    text: str


@dataclass(frozen=True, slots=True)
class GoalContinuation:
    """The agent goes on towards its goal by itself; `text` is what it is told for it."""

    text: str


@dataclass(frozen=True, slots=True)
class BackgroundHook:
    """A hook that ran in the background has something to say."""

    text: str


@dataclass(frozen=True, slots=True)
class Resumed:
    """The session was taken up again; the model is told nothing."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """The turn was set off by something that the observed stream does not show, as the prompt of `claude -p`."""


TurnTrigger = UserInput | Scheduled | FromAgent | FromChannel | GoalContinuation | BackgroundHook | Resumed | Unseen


# Steps.


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One answer of a model. `complete` is false where the answer was cut off."""

    agent: str
    model: str
    output: tuple[Output, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class ToolBatch:
    """The tool calls of one answer, in the order in which the model made them (seed 003, I4)."""

    agent: str
    items: tuple[ToolItem, ...]


class InjectionKind(StrEnum):
    """Why the host says something to the model that nobody asked it to say."""

    INTERRUPT = "interrupt"
    """The answer before was cut off by a rule."""
    REMINDER = "reminder"
    """A rule, or a feature, reminds without having cut anything off."""
    WARNING = "warning"
    """A judge found that a finished answer broke a rule."""
    STOP_FEEDBACK = "stop-feedback"
    """The agent wanted to stop and is told why it should not."""
    GOVERNANCE = "governance"
    """A limit of the host was reached."""
    NOTE = "note"
    """Anything else that the host has to say."""


@dataclass(frozen=True, slots=True)
class Injection:
    """What the host says to the model of an agent."""

    agent: str
    purpose: InjectionKind
    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class CompactionSummary:
    """A boundary: from here on the agent's model is sent `summary` and its `acknowledgement` instead of all before."""

    agent: str
    summary: str
    acknowledgement: str


@dataclass(frozen=True, slots=True)
class RehydratedFile:
    """A file that the model is shown again after a compaction, as the answer to a call with `arguments` (JSON text)."""

    arguments: str
    content: str


@dataclass(frozen=True, slots=True)
class CompactionRehydration:
    """The files that the model is shown again after a compaction, as if it had read each with `tool`."""

    agent: str
    tool: str
    files: tuple[RehydratedFile, ...]


@dataclass(frozen=True, slots=True)
class RuleCut:
    """These rules cut an answer off."""

    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PersonCut:
    """A person cut an answer off."""


Cut = RuleCut | PersonCut


@dataclass(frozen=True, slots=True)
class Interruption:
    """The answer that is step `answer` of the turn was cut off; `context` says whether its model sees it again."""

    agent: str
    answer: int
    cut: Cut
    context: ContextMode


Step = ModelCall | ToolBatch | Injection | CompactionSummary | CompactionRehydration | Interruption


# How a turn ended.


@dataclass(frozen=True, slots=True)
class Completed:
    """The agent finished what it had to say."""


@dataclass(frozen=True, slots=True)
class Idle:
    """There was nothing for the agent to do."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The agent gave up; `message` is its reason as it put it."""

    message: str


@dataclass(frozen=True, slots=True)
class Cancelled:
    """Somebody or something ended the turn early: a person, a crash, the end of what could be observed."""

    reason: str


Outcome = Completed | Idle | Failed | Cancelled


@dataclass(frozen=True, slots=True)
class InProgress:
    """The turn is under way."""


# The turn.


@dataclass(frozen=True, slots=True)
class NumberedStep:
    """A step with its number in the turn. Numbers rise and may leave some out: one is reserved when an answer begins,
    and not every answer ends."""

    number: int
    content: Step


@dataclass(frozen=True, slots=True)
class Turn:
    """What one trigger set off."""

    id: str
    trigger: TurnTrigger
    steps: tuple[NumberedStep, ...]
    state: InProgress | Outcome
