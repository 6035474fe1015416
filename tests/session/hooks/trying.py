"""A feature with the hook results that a test gives it."""

from __future__ import annotations

from typing import Any

from tests.bridge.host.driving import Run
from ttsr_ls.bridge.host.events import FeatureDisabled
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import InjectionKind
from ttsr_ls.session.history.turn_events import FeatureRecorded, TurnEvent
from ttsr_ls.session.hooks.contract import (
    AbortedContext,
    AbortedResult,
    DeltaContext,
    DeltaResult,
    Feature,
    OutputContext,
    OutputResult,
    PendingInjection,
    Proceed,
    RequestContext,
    RequestResult,
    ToolCallContext,
    ToolCallResult,
    ToolResultContext,
    ToolResultResult,
    TurnContext,
    TurnResult,
)

HELLO = PendingInjection(InjectionKind.NOTE, Role.USER, "hello")


class Trying(Feature):
    """Returns the given result at each hook, and records the contexts that it received."""

    name = "trying"

    def __init__(self, **answers: Any) -> None:
        self.answers = answers
        self.seen: list[str] = []
        self.records: list[TurnEvent] = []
        self.contexts: list[object] = []

    def evolve(self, event: TurnEvent) -> None:
        self.records.append(event)

    def _say(self, hook: str, context: object) -> Any:
        self.seen.append(hook)
        self.contexts.append(context)
        answer = self.answers.pop(hook, Proceed())
        return answer(context) if callable(answer) else answer

    async def on_request(self, context: RequestContext) -> RequestResult:
        return self._say("request", context)

    def on_delta(self, context: DeltaContext) -> DeltaResult:
        return self._say("delta", context)

    async def before_tool_call(self, context: ToolCallContext) -> ToolCallResult:
        return self._say("call", context)

    async def on_tool_result(self, context: ToolResultContext) -> ToolResultResult:
        return self._say("tool", context)

    async def on_output_end(self, context: OutputContext) -> OutputResult:
        return self._say("output", context)

    async def on_aborted(self, context: AbortedContext) -> AbortedResult:
        return self._say("aborted", context)

    async def on_turn_end(self, context: TurnContext) -> TurnResult:
        return self._say("turn", context)


def note(text: str = "x", name: str = "trying") -> FeatureRecorded:
    return FeatureRecorded(name, text)


def off(run: Run) -> list[str]:
    return [event.feature for event in run.notifications if isinstance(event, FeatureDisabled)]


def raising(_: object) -> object:
    raise RuntimeError("broken")
