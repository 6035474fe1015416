"""What a plain JSON reader finds in agents' streams: the prose and the tool arguments of each line, by their raw paths.

It shares no code with the adapters, so it can say what they lost.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

WRITTEN = ("content", "new_string", "command", "cmd")
"""The arguments of calls whose text rules see."""

PROSE: dict[str, list[str]] = {
    "claude": [
        f"type=stream_event event.type=content_block_delta event.delta.type={kind}_delta event.delta.{kind}"
        for kind in ("text", "thinking")
    ],
    "claude-transcript": ["type=assistant message.content.*.text", "type=assistant message.content.*.thinking"],
    "codex": [
        "type=item.completed item.type=agent_message item.text",
        "type=item.completed item.type=reasoning item.text",
    ],
    "codex-app-server": [
        "method=item/agentMessage/delta params.delta",
        "method=item/reasoning/summaryTextDelta params.delta",
    ],
    "codex-rollout": [
        "type=response_item payload.type=message payload.role=assistant payload.content.*.text",
    ],
    "pi": [
        "assistantMessageEvent.type=text_delta assistantMessageEvent.delta",
        "assistantMessageEvent.type=thinking_delta assistantMessageEvent.delta",
        *(
            f"payload.event.assistantMessageEvent.type={kind}_delta payload.event.assistantMessageEvent.delta"
            for kind in ("text", "thinking")
        ),
    ],
    "pi-session": ["type=message message.role=assistant message.content.*.text"],
    "opencode": [
        "type=message.part.delta properties.field=text properties.delta",
        "type=session.next.text.delta data.delta",
    ],
    "gemini": ["type=message role=assistant content"],
    "gemini-chat": ["type=gemini content"],
    # Once chunks have ids, those without are notices of the agent itself.
    "acp": [
        f"method=session/update params.update.sessionUpdate={kind} params.update.messageId params.update.content.text"
        for kind in ("agent_message_chunk", "agent_thought_chunk")
    ],
    "anthropic-api": [
        f"type=content_block_delta delta.type={kind}_delta delta.{kind}" for kind in ("text", "thinking")
    ],
    "openai-chat-api": ["choices.*.delta.content", "choices.*.delta.reasoning_content"],
    "openai-responses-api": [
        "type=response.output_text.delta delta",
        "type=response.reasoning_summary_text.delta delta",
    ],
    "gemini-api": ["candidates.*.content.parts.*.text"],
}
WHOLE_CALLS: dict[str, list[str]] = {
    "claude": ["type=assistant message.content.*.input"],
    "claude-transcript": ["type=assistant message.content.*.input"],
    "codex": ["item.type=command_execution item"],
    "codex-app-server": ["method=item/started params.item.type=commandExecution params.item"],
    "codex-rollout": ["type=response_item payload.type=function_call payload.arguments"],
    "pi": [
        "assistantMessageEvent.type=toolcall_end assistantMessageEvent.toolCall.arguments",
        "payload.event.assistantMessageEvent.type=toolcall_end payload.event.assistantMessageEvent.toolCall.arguments",
    ],
    "pi-session": ["type=message message.role=assistant message.content.*.arguments"],
    "opencode": [
        "type=message.part.updated properties.part.type=tool properties.part.state.input",
        "type=session.next.tool.called data.input",
    ],
    "gemini": ["type=tool_use parameters"],
    "gemini-chat": ["type=gemini toolCalls.*.args"],
    "acp": ["method=session/update params.update.rawInput"],
    "openai-responses-api": ["type=response.output_item.done item.type=function_call item.arguments"],
    "gemini-api": ["candidates.*.content.parts.*.functionCall.args"],
}
CALL_DELTAS = {
    "anthropic-api": "delta.partial_json",
    "openai-chat-api": "choices.*.delta.tool_calls.*.function.arguments",
}
"""Streams whose calls arrive in pieces alone; the captures have one call each."""


def plain_prose(source: str, lines: Iterable[bytes]) -> list[str]:
    """The pieces of prose, in order."""
    return [text for value in _values(lines) for path in PROSE[source] for text in _found(value, path) if text]


def plain_arguments(source: str, lines: Iterable[bytes]) -> list[str]:
    """The texts that calls write or run."""
    values = list(_values(lines))
    calls = [call for value in values for path in WHOLE_CALLS.get(source, ()) for call in _found(value, path)]
    if source in CALL_DELTAS:
        calls.append("".join(map(str, (piece for value in values for piece in _found(value, CALL_DELTAS[source])))))
    return [text for call in calls for text in _written(call)]


def _written(call: Any) -> Iterator[str]:
    if isinstance(call, str):
        try:
            call = json.loads(call)
        except ValueError:
            return
    if isinstance(call, dict):
        yield from (call[key] for key in WRITTEN if isinstance(call.get(key), str))


def _values(lines: Iterable[bytes]) -> Iterator[Any]:
    for line in lines:
        try:
            yield json.loads(line.removeprefix(b"data:").strip().decode())
        except (ValueError, RecursionError):
            continue


def _found(value: Any, path: str) -> Iterator[Any]:
    """The values at the last word of the path, if its other words (`KEYS=VALUE` or `KEYS`) hold."""
    *conditions, last = path.split(" ")
    for condition in conditions:
        keys, _, wanted = condition.partition("=")
        found = _at(value, keys.split("."))
        if not found or (wanted and wanted not in found):
            return
    yield from _at(value, last.split("."))


def _at(value: Any, keys: list[str]) -> list[Any]:
    if not keys:
        return [value]
    if keys[0] == "*":
        return [found for each in (value if isinstance(value, list) else ()) for found in _at(each, keys[1:])]
    return _at(value[keys[0]], keys[1:]) if isinstance(value, dict) and keys[0] in value else []
