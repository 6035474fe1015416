"""Converts messages that opencode stored to the events that `opencode serve` sends. Their content is not trusted.

A damaged value becomes a line that is no JSON, so that readers report it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

Values = dict[str, Any]
_DECODER = msgspec.json.Decoder()

_FINISHED = ("completed", "error")


class StoredValue(Struct, frozen=True):
    """A stored JSON value with its id. `name` is its location, for reports."""

    id: str
    data: str | bytes
    name: str


def session_line(session: str, directory: str, created: Any) -> bytes:
    """The event that begins the session. Messages that are older than `created` were copied by a fork."""
    info = {"id": session, "directory": directory, "time": {"created": created}}
    return _line({"type": "session.updated", "properties": {"info": info}})


def end_line(session: str) -> bytes:
    """The event that ends the last turn of the session."""
    return _line({"type": "session.idle", "properties": {"sessionID": session}})


def message_lines(session: str, message: StoredValue, parts: Iterable[StoredValue]) -> Iterator[bytes]:
    """A message of the first API: its role, then its parts."""
    info = _parsed(message)
    if isinstance(info, bytes):
        yield info
        info = {}
    yield _line({"type": "message.updated", "properties": {"sessionID": session, "info": {**info, "id": message.id}}})
    for stored in parts:
        part = _parsed(stored)
        if isinstance(part, bytes):
            yield part
        else:
            time = part.get("time")
            # A stored part is complete, although an interrupted one has no end.
            ended = {"end": 1, **{key: value for key, value in _values(time).items() if value}}
            complete = {**part, "id": stored.id, "messageID": message.id, "time": ended}
            yield _line({"type": "message.part.updated", "properties": {"sessionID": session, "part": complete}})


def second_message_lines(session: str, kind: str, message: StoredValue) -> Iterator[bytes]:
    """A message of the second API: a prompt, or an answer with its content."""
    data = _parsed(message)
    if isinstance(data, bytes):
        yield data
    elif kind == "user":
        yield _next(session, "prompted", {"prompt": {"text": data.get("text")}})
    elif kind == "assistant":
        yield _next(session, "step.started", {"model": data.get("model")})
        content = data.get("content")
        for number, block in enumerate(content if isinstance(content, list) else ()):
            yield from _block(session, f"{message.id}.{number}", _values(block))
        ended = "step.ended" if data.get("finish") else "step.failed"
        yield _next(session, ended, {"finish": data.get("finish"), "tokens": data.get("tokens")})


def _block(session: str, identity: str, block: Values) -> Iterator[bytes]:
    kind = block.get("type")
    if kind in ("text", "reasoning"):
        yield _next(session, f"{kind}.ended", {f"{kind}ID": identity, "text": block.get("text")})
    elif kind == "tool":
        call, state = block.get("id"), _values(block.get("state"))
        yield _next(session, "tool.called", {"callID": call, "tool": block.get("name"), "input": state.get("input")})
        if state.get("status") in _FINISHED:
            result = {"callID": call, "output": _text_of(state.get("content")), "error": _values(state.get("error"))}
            yield _next(session, "tool.failed" if state["status"] == "error" else "tool.success", result)


def _text_of(content: Any) -> str:
    blocks = content if isinstance(content, list) else ()
    return "\n".join(str(_values(block).get("text", "")) for block in blocks)


def _next(session: str, kind: str, data: Values) -> bytes:
    return _line({"type": f"session.next.{kind}", "data": {"sessionID": session, **data}})


def _values(value: Any) -> Values:
    return value if isinstance(value, dict) else {}


def _parsed(stored: StoredValue) -> Values | bytes:
    """Returns the JSON object; for a damaged value, a line that is no JSON."""
    try:
        value = _loads(stored.data)
    except (ValueError, RecursionError):
        return f"damaged: {stored.name}\n".encode("utf-8", "backslashreplace")
    return value if isinstance(value, dict) else f"no object: {stored.name}\n".encode("utf-8", "backslashreplace")


def _loads(data: str | bytes) -> Any:
    try:
        return _DECODER.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return json.loads(data)  # It accepts lone surrogates and the like.


def _line(event: Values) -> bytes:
    try:
        return json.dumps(event).encode() + b"\n"
    except RecursionError:  # The event adds some levels to a value that could just be parsed.
        return b"damaged: an event is nested too deeply\n"
