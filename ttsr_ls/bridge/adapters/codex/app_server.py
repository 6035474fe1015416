"""Codex's app server (spec W12): JSON-RPC lines with deltas of text and reasoning, but not of tools' arguments."""

from __future__ import annotations

from pathlib import PurePath

from ttsr_ls.bridge.adapters.answer_parts import AnswerParts
from ttsr_ls.bridge.adapters.codex.items import calls_of_item, state_of_item
from ttsr_ls.bridge.adapters.line_adapter import LineAdapter
from ttsr_ls.bridge.wire.fields import expect_object, expect_text, get_object, get_objects, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject
from ttsr_ls.bridge.wire.malformed import note_unknown_kind
from ttsr_ls.bridge.wire.usage import inclusive_usage
from ttsr_ls.rules.stream import Source
from ttsr_ls.session.history.turn_events import MAIN_AGENT, TurnCancelled, TurnCompleted, TurnFailed, UnseenTrigger
from ttsr_ls.session.history.usage import Usage
from ttsr_ls.session.output.agent_events import AgentEvent, SubagentSeen, ToolResultSeen

_PROSE = {"agentMessage": Source.TEXT, "plan": Source.TEXT, "reasoning": Source.THINKING}
_NO_OUTPUT = frozenset(
    {
        "contextCompaction", "enteredReviewMode", "exitedReviewMode", "functionCallOutput", "hookPrompt",
        "imageGeneration", "imageView", "sleep", "subAgentActivity",
    }
)  # fmt: skip
"""The kinds of items that have no text or call of the model to match."""
_DELTAS = {
    "item/agentMessage/delta": Source.TEXT,
    "item/reasoning/summaryTextDelta": Source.THINKING,
    "item/reasoning/textDelta": Source.THINKING,
}
_USAGE_KEYS = {
    "prompt": "inputTokens",
    "output": "outputTokens",
    "read": "cachedInputTokens",
    "written": "cacheWriteInputTokens",
}
_SILENT = (
    "account/", "app/", "autoApprovalReview/", "command/", "externalAgentConfig/", "fs/", "fuzzyFileSearch/", "hook/",
    "item/autoApprovalReview/", "item/commandExecution/", "item/fileChange/", "item/mcpToolCall/", "item/permissions/",
    "item/plan/", "item/reasoning/summaryPartAdded", "item/tool/", "mcpServer/", "model/", "modelProvider/",
    "process/", "project/", "remoteControl/", "serverRequest/", "skills/", "thread/", "turn/", "windows/",
    "windowsSandbox/",
)  # fmt: skip
"""The prefixes of methods of notifications without output of the model.

Deltas of a plan are ignored, because they may differ from the final plan, which is read as a whole.
"""
_WITHOUT_SLASH = frozenset({"configWarning", "deprecationNotice", "guardianWarning", "initialized", "warning"})


class CodexAppServerAdapter(LineAdapter):
    """Reads the messages of the server to its client; messages of the client may be among them."""

    def __init__(self, cwd: PurePath | None = None) -> None:
        super().__init__(cwd)
        self._main_thread = ""
        self._results: dict[str, list[ToolResultSeen]] = {}
        """The results of calls by agent, held back while the usage of the answer with these calls may still come."""

    def events_of_message(self, message: JsonObject) -> list[AgentEvent]:
        method = get_text(message, "method")
        if not method:
            return (
                []
                if "result" in message or "error" in message
                else self.report_unknown_kind("a message without a method")
            )
        params = (expect_object if method.startswith("item/") else get_object)(message, "params")
        if method in _DELTAS:
            events, answer = self.ensure_answer(self._agent(params))
            return [
                *events,
                *answer.add_prose(get_text(params, "itemId"), _DELTAS[method], expect_text(params, "delta")),
            ]
        match method:
            case "thread/started":
                return self._thread(get_object(params, "thread"))
            case "turn/started":
                return self.open_turn(UnseenTrigger()) if self._agent(params) == MAIN_AGENT else []
            case "item/started" | "item/completed":
                return self._item(self._agent(params), expect_object(params, "item"), method == "item/completed")
            case "thread/tokenUsage/updated":
                usage = inclusive_usage(get_object(get_object(params, "tokenUsage"), "last"), **_USAGE_KEYS)
                return self.end_answer(self._agent(params), usage=usage)
            case "turn/completed":
                return self._turn_completed(self._agent(params), get_object(params, "turn"))
            case "error":
                return []  # The end of the turn repeats the error.
            case _:
                is_known = method.startswith(_SILENT) or "id" in message or method in _WITHOUT_SLASH
                return [] if is_known else self.report_unknown_kind(method)

    def ensure_answer(self, agent: str = MAIN_AGENT) -> tuple[list[AgentEvent], AnswerParts]:
        ended = self.end_answer(agent) if agent in self._results else []
        events, answer = super().ensure_answer(agent)
        return [*ended, *events], answer

    def end_answer(
        self, agent: str = MAIN_AGENT, complete: bool = True, usage: Usage | None = None
    ) -> list[AgentEvent]:
        results = self._results.pop(agent, [])
        return [*super().end_answer(agent, complete or bool(results), usage), *results]

    def _agent(self, params: JsonObject) -> str:
        thread = get_text(params, "threadId")
        if not self._main_thread:
            self._main_thread = thread
        return MAIN_AGENT if thread in ("", self._main_thread) else thread

    def _thread(self, thread: JsonObject) -> list[AgentEvent]:
        identity, parent = get_text(thread, "id"), get_text(thread, "parentThreadId")
        if parent and self._main_thread:
            return [SubagentSeen(identity, get_text(thread, "agentRole") or "task")]
        self._main_thread = identity
        cwds = [get_text(environment, "cwd") for environment in get_objects(thread, "environments")[:1]]
        return self.identify_session(identity, get_text(thread, "cwd") or "".join(cwds))

    def _item(self, agent: str, item: JsonObject, is_complete: bool) -> list[AgentEvent]:
        kind, identity = expect_text(item, "type"), get_text(item, "id")
        if kind == "userMessage":
            if is_complete or agent != MAIN_AGENT:
                return []
            # A message within a turn (`turn/steer`) interrupts the answer.
            return [*self.end_answer(agent, complete=False), *self.open_turn(UnseenTrigger())]
        if kind in _PROSE:
            return self._prose(agent, kind, item) if is_complete else []
        calls = list(calls_of_item(item))
        if not calls and kind not in _NO_OUTPUT:
            note_unknown_kind("item", kind)
        events: list[AgentEvent] = []
        if calls and self.is_first_occurrence(f"{kind}:{identity}"):
            events, answer = self.ensure_answer(agent)
            for call in calls:
                events += answer.add_complete_call(call.tool, call.call, call.arguments)
        if is_complete and calls and self.is_first_occurrence(f"result:{identity}"):
            state = state_of_item(item, "aggregatedOutput")
            results = [ToolResultSeen(agent, call.call, state) for call in calls]
            if self.answer_of(agent) is None:
                events += results
            else:
                self._results.setdefault(agent, []).extend(results)
        return events

    def _prose(self, agent: str, kind: str, item: JsonObject) -> list[AgentEvent]:
        events, answer = self.ensure_answer(agent)
        if answer.is_open(get_text(item, "id")):
            return [*events, *answer.end_part(get_text(item, "id"))]
        text = (get_text if kind == "reasoning" else expect_text)(item, "text")
        full_text = text or "\n\n".join(_strings(item, "summary") or _strings(item, "content"))
        return [*events, *answer.add_complete_prose(_PROSE[kind], full_text)] if full_text else events

    def _turn_completed(self, agent: str, turn: JsonObject) -> list[AgentEvent]:
        status = get_text(turn, "status")
        if agent != MAIN_AGENT:
            return self.end_answer(agent, status == "completed")
        match status:
            case "interrupted":
                return self.close_turn(TurnCancelled("interrupted"))
            case "failed":
                return self.close_turn(TurnFailed(get_text(get_object(turn, "error"), "message")))
            case _:
                return self.close_turn(TurnCompleted())


def _strings(item: JsonObject, key: str) -> list[str]:
    found = item.get(key)
    return [item for item in found if isinstance(item, str)] if isinstance(found, list) else []
