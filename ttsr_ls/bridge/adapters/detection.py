"""Detects the source of a stream from its first lines (`--from auto`)."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from itertools import chain

from ttsr_ls.bridge.wire.fields import get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject, parse_object

AUTO = "auto"
"""The name of automatic source detection."""

MAX_HELD = 1024 * 1024
"""The most bytes that are read before a stream counts as unknown."""

UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""The beginning of a stream that no adapter can read. `>` in Windows PowerShell writes UTF-16."""

_MAX_LINES = 200
_SSE = re.compile(rb"data: ?(?=\{)")


def detect_source(chunks: Iterable[bytes]) -> tuple[str | None, Iterator[bytes]]:
    """The name of the source of `chunks`, and all chunks again; None if their beginning does not identify it.

    Waits for further chunks until the source is known or the limits are reached.
    """
    rest = iter(chunks)
    buffer = b""
    for chunk in rest:
        buffer += chunk
        name = source_of(buffer)
        if name is not None or len(buffer) > MAX_HELD or buffer.count(b"\n") > _MAX_LINES:
            return name, chain((buffer,), rest)
    # The last line may lack its line feed.
    return source_of(buffer + b"\n"), iter((buffer,))


def source_of(data: bytes) -> str | None:
    """The name of the source that wrote these complete lines; None if it cannot be detected."""
    *lines, _ = data.split(b"\n")
    for line in lines[:_MAX_LINES]:
        name = _source_of_line(line.strip())
        if name is not None:
            return name
    return None


def _source_of_line(line: bytes) -> str | None:
    is_event = _SSE.match(line)
    value = parse_object(line[is_event.end() :] if is_event else line)
    if isinstance(value, str):
        return None
    return _provider(value) if is_event else _agent(value)


def _provider(value: JsonObject) -> str | None:
    kind = get_text(value, "type")
    if get_text(value, "object").startswith("chat.completion"):
        return "openai-chat-api"
    if kind.startswith("response."):
        return "openai-responses-api"
    if kind in ("message_start", "content_block_start", "content_block_delta"):
        return "anthropic-api"
    if "candidates" in value:
        return "gemini-api"
    if "properties" in value or kind.startswith("session.next") or kind == "server.connected":
        return "opencode"
    return None


_BY_KIND = {
    "stream_event": "claude",
    "thread.started": "codex",
    "session_meta": "codex-rollout",
    "response_item": "codex-rollout",
    "event_msg": "codex-rollout",
    "session": "pi",
    "agent_start": "pi",
    "message_update": "pi",
    "ready": "omp",
    "title": "omp",
    "step_start": "opencode",
    "server.connected": "opencode",
}
_CODEX_METHODS = ("thread/", "turn/", "item/", "configWarning", "remoteControl/")


def _agent(value: JsonObject) -> str | None:
    kind, method = get_text(value, "type"), get_text(value, "method")
    if "ttsr-log" in value:
        return "session-log"
    if "sessionId" in value and ("parentUuid" in value or "leafUuid" in value or kind == "queue-operation"):
        return "claude-transcript"
    if kind in ("system", "assistant", "user", "result") and "session_id" in value:
        return "claude"
    if "projectHash" in value and "sessionId" in value:
        return "gemini-chat"
    if kind == "init" and "session_id" in value and "timestamp" in value:
        return "gemini"
    if method.startswith(_CODEX_METHODS):
        return "codex-app-server"
    if value.get("jsonrpc") == "2.0":
        return "acp"
    if "part" in value and "sessionID" in value:
        return "opencode"
    if "properties" in value and "." in kind:
        return "opencode"
    return _BY_KIND.get(kind)
