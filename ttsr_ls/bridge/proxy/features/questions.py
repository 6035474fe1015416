"""The questions of an exchange to the features of its session, and their answers. Pure values."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.session.history.turn_events import CallDone, CallRefused, FeatureRecorded, Output, ToolCall
from ttsr_ls.session.hooks.feature_tools import FeatureTool
from ttsr_ls.session.lifecycle.pending_injection import PendingInjection


class HookDemand(Struct, frozen=True):
    """The points at which the features of a session want to be asked, and the tools that they offer in a
    conversation."""

    requests: bool = False
    calls: bool = False
    answers: bool = False
    tools: tuple[FeatureTool, ...] = ()

    @property
    def is_empty(self) -> bool:
        """True if features are asked nothing and offer no tools."""
        return not (self.requests or self.calls or self.answers or self.tools)


NO_HOOKS = HookDemand()


class StepContext(Struct, frozen=True):
    """The position in the history: a turn, the step of the answer, and its agent."""

    turn: str
    step: int
    agent: str


class RequestPrepared(Struct, frozen=True):
    """A request is about to be made. `results` are the client's tool results: id of the call, tool, and result."""

    at: StepContext
    results: tuple[tuple[str, str, CallDone | CallRefused], ...]


class CallFinished(Struct, frozen=True):
    """A tool call of the answer is complete. `is_offered`: features may run tools of their own in this conversation."""

    at: StepContext
    call: ToolCall
    is_offered: bool


class AnswerFinished(Struct, frozen=True):
    """An answer is complete. `ends_turn`: it calls no tool."""

    at: StepContext
    output: tuple[Output, ...]
    can_retry: bool
    ends_turn: bool


FeatureQuestion = RequestPrepared | CallFinished | AnswerFinished


class ResultReminder(Struct, frozen=True):
    """A reminder in front of the result of the tool call `call`."""

    call: str
    text: str
    rules: tuple[str, ...]


class RequestAnswer(Struct, frozen=True):
    """Additions to a request; `records` are recorded first."""

    records: tuple[FeatureRecorded, ...] = ()
    reminders: tuple[ResultReminder, ...] = ()
    injections: tuple[PendingInjection, ...] = ()


class CallAllowed(Struct, frozen=True):
    """The client gets the call. `records` are recorded first."""

    records: tuple[FeatureRecorded, ...] = ()


class CallAnswered(Struct, frozen=True):
    """The client does not get the call: `state` is its result, with `reminders` in front of it.

    `records` are recorded before the model gets the result. `feature` denied the call, or ran it.
    """

    call: ToolCall
    state: CallDone | CallRefused
    feature: str
    records: tuple[FeatureRecorded, ...] = ()
    reminders: tuple[str, ...] = ()


class AnswerReviewed(Struct, frozen=True):
    """Injections after an answer, if the features have any; `records` are recorded first."""

    records: tuple[FeatureRecorded, ...] = ()
    injections: tuple[PendingInjection, ...] = ()


FeatureAnswer = RequestAnswer | CallAllowed | CallAnswered | AnswerReviewed
