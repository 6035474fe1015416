"""Asks the features of one session at the hooks of an exchange. Records nothing: an answer carries what to record."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import assert_never

from ttsr_ls.bridge.host.hooks.runner import FeatureFailedError, FeatureRunner
from ttsr_ls.bridge.proxy.features.questions import (
    AnswerFinished,
    AnswerReviewed,
    CallAllowed,
    CallAnswered,
    CallFinished,
    FeatureAnswer,
    FeatureQuestion,
    RequestAnswer,
    RequestPrepared,
    ResultReminder,
    StepContext,
)
from ttsr_ls.errors import UsageError
from ttsr_ls.features.judge.feature import JudgeFeature
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.session.history.turn import TurnCompleted
from ttsr_ls.session.history.turn_events import MAIN_AGENT, CallDone, CallRefused, FeatureRecorded, ToolCall, TurnEvent
from ttsr_ls.session.hooks.authority import authority_of, injections_of_feature, wrapped_message
from ttsr_ls.session.hooks.contract import (
    Append,
    ChangeInput,
    Deny,
    Ending,
    Feature,
    FollowUp,
    Note,
    OutputContext,
    Prepend,
    Proceed,
    RequestContext,
    ToolCallContext,
    ToolResultContext,
    TurnContext,
)
from ttsr_ls.session.hooks.feature_tools import FeatureTool, ToolDone
from ttsr_ls.session.hooks.system_items import SystemItems, injections_by
from ttsr_ls.session.lifecycle.pending_injection import PendingInjection
from ttsr_ls.session.lifecycle.unpack_records import unpack_records
from ttsr_ls.session.projection.wire_values import json_object

MAX_JUDGED = 64
"""The most agents of a session that have a judge."""

INPUT_CHANGE_MESSAGE = (
    "This call was not run, because a program of this project wants it to have another input. "
    "Make the call with this input: "
)
"""The result of a call whose input a feature changes. The client runs calls only with the model's own input."""


class ProxyFeatures:
    """The features of one session. `judge_for` creates the judge of an agent; None: there is no judge.

    `report` is called with each message for the user, a full sentence.
    """

    def __init__(
        self,
        features: Iterable[Feature],
        judge_for: Callable[[str], JudgeFeature] | None,
        report: Callable[[str], None],
    ) -> None:
        self._report = report
        self._runner = FeatureRunner(features, lambda _, message: report(message))
        self._runner.begin_session(MAIN_AGENT)
        self._judge_for = judge_for
        self._tools_lock = asyncio.Lock()
        self._judges: OrderedDict[str, tuple[JudgeFeature, FeatureRunner]] = OrderedDict()

    @property
    def tools(self) -> tuple[FeatureTool, ...]:
        """The tools that the features of the session offer to the model."""
        return self._runner.tools

    def overrides(self, *hooks: str) -> bool:
        """Returns whether a feature implements one of the hooks."""
        return any(
            getattr(type(feature), hook) is not getattr(Feature, hook)
            for feature in self._runner.features
            for hook in hooks
        )

    def resume(self, events: Iterable[TurnEvent]) -> None:
        """Replays the events of a log that is resumed.

        A feature that cannot read one of its own records is switched off.
        """
        self.judges(MAIN_AGENT)
        by_name = {feature.name: feature for feature in self._runner.features}
        for event in events:
            for record in unpack_records(event):
                feature = by_name.get(record.feature) if isinstance(record, FeatureRecorded) else None
                if feature is not None and isinstance(record, FeatureRecorded) and not feature.can_read(record):
                    del by_name[feature.name]
                    self._runner.disable(feature, UsageError("the log has records of another version of it"))
            self.evolve(event)

    def evolve(self, event: TurnEvent) -> None:
        """Passes a recorded event to all features."""
        self._runner.evolve(event)
        for _, runner in self._judges.values():
            runner.evolve(event)

    def judges(self, agent: str) -> bool:
        """Returns whether a judge has questions about answers of the agent. The first call creates the agent's
        judge."""
        if self._judge_for is None:
            return False
        if agent not in self._judges:
            judge = self._judge_for(agent)
            runner = FeatureRunner([judge], lambda _, message: self._report(message))
            runner.begin_session(agent)
            self._judges[agent] = (judge, runner)
            if len(self._judges) > MAX_JUDGED:
                del self._judges[next(judge for judge in self._judges if judge != MAIN_AGENT)]
        return self._judges[agent][0].has_questions

    def replace_rules(self, rules_of: Callable[[str], RuleSet], settings: Settings) -> None:
        """Uses these rules from now on; `rules_of` returns those of an agent."""
        for agent, (judge, _) in self._judges.items():
            judge.replace_rules(rules_of(agent), settings)

    def omit_tool(self, tool: str) -> None:
        """Switches off the feature that owns `tool`, because the client has a tool of that name."""
        owner = self._runner.owner(tool)
        if owner is not None:
            self._runner.disable(owner[0], UsageError(f"the agent has a tool {tool} of its own"))

    def tool_lock(self, question: FeatureQuestion) -> AbstractAsyncContextManager[object]:
        """Returns a lock to hold from a question until its answer is recorded, as tools decide by the log."""
        return self._tools_lock if isinstance(question, CallFinished) and question.is_offered else nullcontext()

    async def ask(self, question: FeatureQuestion) -> FeatureAnswer:
        """Returns the answer to a question of an exchange. Each feature gets at most its time limit."""
        match question:
            case RequestPrepared():
                return await self._request(question)
            case CallFinished():
                return await self._call(question)
            case AnswerFinished():
                return await self._answer(question)
        assert_never(question)

    async def _request(self, prepared: RequestPrepared) -> RequestAnswer:
        records: list[FeatureRecorded] = []
        reminders: list[ResultReminder] = []
        for call, tool, state in prepared.results:
            for feature, result in await self._results(prepared.at, call, tool, state):
                records += _feature_records(result.records)
                if isinstance(result, Prepend):
                    text = wrapped_message(feature.name, authority_of(feature), result.text)
                    reminders.append(ResultReminder(call, text, result.rules))
        handles: dict[int, SystemItems] = {}

        def context(feature: Feature) -> RequestContext:
            handles[id(feature)] = SystemItems()
            return RequestContext(prepared.at.turn, prepared.at.agent, handles[id(feature)])

        injections: list[PendingInjection] = []
        asked = self._runner.ask_all(
            "on_request", (Proceed, Append), lambda feature: feature.on_request(context(feature))
        )
        async for feature, appended in asked:
            assert isinstance(appended, Append)
            try:
                appended_injections = injections_by(handles[id(feature)], appended.items)
            except UsageError as error:
                self._runner.disable(feature, error, "on_request")
                continue
            injections += injections_of_feature(feature, appended_injections, appended.records)
        return RequestAnswer(tuple(records), tuple(reminders), tuple(injections))

    async def _results(
        self, step_context: StepContext, call_id: str, tool: str, state: CallDone | CallRefused
    ) -> list[tuple[Feature, Note | Prepend]]:
        context = ToolResultContext(step_context.turn, step_context.step, step_context.agent, call_id, tool, state)
        asked = self._runner.ask_all(
            "on_tool_result", (Proceed, Note, Prepend), lambda feature: feature.on_tool_result(context)
        )
        return [(feature, result) async for feature, result in asked if not isinstance(result, Proceed)]

    async def _call(self, finished: CallFinished) -> CallAllowed | CallAnswered:
        context, call = finished.at, finished.call
        owner = self._runner.owner(call.tool) if finished.is_offered else None
        records: list[FeatureRecorded] = []
        current = call
        asked = self._runner.ask_all(
            "before_tool_call",
            (Proceed, Note, Deny, ChangeInput),
            lambda feature: feature.before_tool_call(
                ToolCallContext(context.turn, context.step, context.agent, call.id, call.tool, current.arguments)
            ),
        )
        async for feature, result in asked:
            match result:
                case Note():
                    records += _feature_records(result.records)
                case Deny():
                    message = wrapped_message(feature.name, authority_of(feature), result.message)
                    call_refused = CallRefused(message, feature.name)
                    return await self._answered(context, call, call_refused, feature.name, [*records, *result.records])
                case ChangeInput() if result.arguments != current.arguments:
                    if owner is None:
                        call_refused = CallRefused(INPUT_CHANGE_MESSAGE + result.arguments, feature.name)
                        return await self._answered(context, call, call_refused, feature.name, records)
                    current = ToolCall(call.id, call.tool, result.arguments)
                    records += _feature_records(result.records)
                case _:
                    pass
        if owner is None:
            return CallAllowed(tuple(records))
        state, more = await self._run(current, *owner)
        return await self._answered(context, call, state, owner[0].name, [*records, *more])

    async def _run(
        self, call: ToolCall, feature: Feature, tool: FeatureTool
    ) -> tuple[CallDone | CallRefused, tuple[FeatureRecorded, ...]]:
        try:
            arguments = json_object(call.arguments)
        except ValueError as error:
            return CallRefused(f"The arguments are not a JSON object: {error}"), ()
        try:
            ran = await self._runner.run(tool, feature, arguments)
        except FeatureFailedError as error:
            return CallRefused(str(error)), ()
        return CallDone(ran.text) if isinstance(ran, ToolDone) else CallRefused(ran.text), ran.records

    async def _answered(
        self,
        context: StepContext,
        call: ToolCall,
        state: CallDone | CallRefused,
        feature: str,
        records: list[FeatureRecorded],
    ) -> CallAnswered:
        reminders = []
        for each_feature, result in await self._results(context, call.id, call.tool, state):
            records += _feature_records(result.records)
            if isinstance(result, Prepend):
                reminders.append(wrapped_message(each_feature.name, authority_of(each_feature), result.text))
        return CallAnswered(call, state, feature, tuple(records), tuple(reminders))

    async def _answer(self, finished: AnswerFinished) -> AnswerReviewed:
        step_context = finished.at
        context = OutputContext(
            step_context.turn,
            step_context.step,
            step_context.agent,
            finished.output,
            Ending.COMPLETE,
            finished.can_retry,
        )
        records: list[FeatureRecorded] = []
        injections: list[PendingInjection] = []
        judge = [self._judges[step_context.agent][1]] if step_context.agent in self._judges else []
        for runner in (*judge, self._runner):
            asked = runner.ask_all(
                "on_output_end", (Proceed, Note, FollowUp), lambda feature: feature.on_output_end(context)
            )
            async for feature, result in asked:
                if isinstance(result, Note):
                    records += _feature_records(result.records)
                elif isinstance(result, FollowUp):
                    injections += injections_of_feature(feature, result.injections, result.records)
        if finished.ends_turn and not (injections and finished.can_retry):
            over = TurnContext(step_context.turn, step_context.agent, TurnCompleted())
            async for _, result in self._runner.ask_all(
                "on_turn_end", (Proceed, Note), lambda feature: feature.on_turn_end(over)
            ):
                if isinstance(result, Note):
                    records += _feature_records(result.records)
        return AnswerReviewed(tuple(records), tuple(injections))


def _feature_records(records: Iterable[object]) -> list[FeatureRecorded]:
    """Returns the events that features other than those of rules may record."""
    return [record for record in records if isinstance(record, FeatureRecorded)]
