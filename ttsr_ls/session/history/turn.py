"""Turns, the unit of history (spec H1): a turn is everything that one trigger causes, as a sequence of steps.

Pure values, independent of providers. All of it is written to session logs, so a new field needs a default.
"""

from __future__ import annotations

from enum import StrEnum

from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.recorded_value import RecordedValue
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn_output import Image, Output, ToolItem
from ttsr_ls.session.history.usage import Usage

# Triggers of turns.


class UserInput(RecordedValue, frozen=True):
    """The user's prompt."""

    text: str
    images: tuple[Image, ...] = ()


class ScheduledTask(RecordedValue, frozen=True, tag="Scheduled"):
    """A scheduled task whose time came."""

    text: str


class AgentMessage(RecordedValue, frozen=True, tag="FromAgent"):
    """Another agent's message; `sender` is its address."""

    sender: str
    text: str


class ChannelMessage(RecordedValue, frozen=True, tag="FromChannel"):
    """A message that `sender` put into a channel; `channel` is its name without `#`."""

    channel: str
    sender: str
    text: str


class GoalContinuation(RecordedValue, frozen=True):
    """The agent continues towards its goal without a prompt; `text` is sent to it."""

    text: str


class BackgroundHook(RecordedValue, frozen=True):
    """A hook that ran in the background has a message."""

    text: str


class ResumedSession(RecordedValue, frozen=True, tag="Resumed"):
    """The session was resumed; the model receives no message about that."""


class UnseenTrigger(RecordedValue, frozen=True, tag="Unseen"):
    """The turn was started by something that the observed stream does not contain, such as the prompt of
    `claude -p`.
    """


TurnTrigger = (
    UserInput
    | ScheduledTask
    | AgentMessage
    | ChannelMessage
    | GoalContinuation
    | BackgroundHook
    | ResumedSession
    | UnseenTrigger
)


# Steps.


class ModelCall(RecordedValue, frozen=True):
    """One answer of a model.

    `complete` is false if the answer was interrupted. `usage` is None if the provider did not report it; of an
    interrupted answer it is the last report, so its output tokens may be too few.
    """

    agent: str
    model: str
    output: tuple[Output, ...]
    complete: bool
    usage: Usage | None = None


class ToolBatch(RecordedValue, frozen=True):
    """The tool calls of one answer, in the order in which the model made them (spec H4)."""

    agent: str
    items: tuple[ToolItem, ...]


class InjectionKind(StrEnum):
    """The reason of a message from the host to the model."""

    INTERRUPT = "interrupt"
    """A rule interrupted the previous answer."""
    REMINDER = "reminder"
    """A rule or a feature adds a reminder without an interruption."""
    WARNING = "warning"
    """A judge found that a finished answer broke a rule."""
    STOP_FEEDBACK = "stop-feedback"
    """The agent wanted to stop and gets a reason to continue."""
    GOVERNANCE = "governance"
    """A limit of the host was reached."""
    NOTE = "note"
    """Any other message of the host."""


class Injection(RecordedValue, frozen=True):
    """A message of the host to the model of an agent."""

    agent: str
    purpose: InjectionKind
    role: Role
    text: str


class CompactionSummary(RecordedValue, frozen=True):
    """A boundary: from here on the agent's model receives `summary` and its `acknowledgement` instead of everything
    before.

    `usage` are the tokens that generating the summary took; None if unknown.
    """

    agent: str
    summary: str
    acknowledgement: str
    usage: Usage | None = None


class RehydratedFile(RecordedValue, frozen=True):
    """A file that the model receives again after a compaction, as the result of a call with `arguments` (JSON text)."""

    arguments: str
    content: str


class CompactionRehydration(RecordedValue, frozen=True):
    """The files that the model receives again after a compaction, as if it had read each with `tool`."""

    agent: str
    tool: str
    files: tuple[RehydratedFile, ...]


class InterruptedByRules(RecordedValue, frozen=True, tag="RuleCut"):
    """These rules interrupted an answer."""

    rules: tuple[str, ...]


class InterruptedByUser(RecordedValue, frozen=True, tag="PersonCut"):
    """A user interrupted an answer."""


InterruptionCause = InterruptedByRules | InterruptedByUser


class Interruption(RecordedValue, frozen=True, rename={"cause": "cut"}):
    """The answer that is step `answer` of the turn was interrupted. `context` says whether it stays in the model's
    context.
    """

    agent: str
    answer: int
    cause: InterruptionCause
    context: ContextMode


Step = ModelCall | ToolBatch | Injection | CompactionSummary | CompactionRehydration | Interruption


# How a turn ended.


class TurnCompleted(RecordedValue, frozen=True, tag="Completed"):
    """The agent completed its answer."""


class TurnIdle(RecordedValue, frozen=True, tag="Idle"):
    """The turn ended because the agent had nothing to do."""


class TurnFailed(RecordedValue, frozen=True, tag="Failed"):
    """The agent gave up; `message` is its reason as it put it."""

    message: str


class TurnCancelled(RecordedValue, frozen=True, tag="Cancelled"):
    """The turn ended early: by a user, a crash, or the end of the observed stream."""

    reason: str


TurnOutcome = TurnCompleted | TurnIdle | TurnFailed | TurnCancelled


class TurnInProgress(RecordedValue, frozen=True, tag="InProgress"):
    """The turn has not ended."""


# The turn.


class NumberedStep(RecordedValue, frozen=True):
    """A step with its number in the turn. Numbers increase and may have gaps: a number is reserved when an answer
    begins, and not every answer ends.
    """

    number: int
    content: Step


class Turn(RecordedValue, frozen=True):
    """A turn: the steps that follow one trigger."""

    id: str
    trigger: TurnTrigger
    steps: tuple[NumberedStep, ...]
    state: TurnInProgress | TurnOutcome
