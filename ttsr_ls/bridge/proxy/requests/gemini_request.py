"""Requests of the Gemini API. A reminder is a part of the last content of the user."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec import Raw

from ttsr_ls.bridge.proxy.ledger.identity import content_digest
from ttsr_ls.bridge.proxy.requests.conversation import (
    Conversation,
    ConversationEdits,
    ConversationInsertion,
    ConversationItem,
    InsertedMessages,
)
from ttsr_ls.bridge.proxy.requests.fragments import encoded_parts, encoded_value, list_parts, object_parts, read_object
from ttsr_ls.bridge.proxy.requests.request_editor import RequestEditor
from ttsr_ls.bridge.proxy.streams.gemini_stream import part_identity
from ttsr_ls.bridge.wire.fields import get_field, get_list, get_text

_MODEL = "model"


class GeminiRequest(RequestEditor):
    """Reads and edits requests of the Gemini API. The model is in the path, which is not read."""

    def read(self, body: bytes) -> Conversation:
        value = read_object(body)
        contents = get_list(value, "contents")
        last = contents[-1] if contents else None
        text = [part for part in get_list(last, "parts") if get_field(part, "functionResponse") is None]
        is_prompt = get_text(last, "role") != _MODEL and len(text) == len(get_list(last, "parts"))
        return Conversation(
            items=tuple(
                _item(number, content, part)
                for number, content in enumerate(contents)
                for part in get_list(content, "parts")
            ),
            model="",
            has_tools=bool(get_list(value, "tools")),
            prompt="".join(get_text(part, "text") for part in text) if is_prompt else None,
            fields=value,
        )

    def apply_edits(self, body: bytes, edits: ConversationEdits) -> bytes:
        if edits.is_empty:
            return body
        request = object_parts(body)
        written: list[tuple[str, dict[str, Raw], list[Raw]]] = []
        index = 0
        for raw in list_parts(request.get("contents", Raw(b"[]"))):
            fields = object_parts(raw)
            role = _role(fields)
            kept: list[Raw] = []
            for part in list_parts(fields.get("parts", Raw(b"[]"))):
                if index in edits.inserted:
                    if kept:
                        written.append((role, fields, kept))
                        kept = []
                    _insert(written, edits.inserted[index])
                if index not in edits.removed:
                    kept += _edited(part, index, edits)
                index += 1
            if kept:
                written.append((role, fields, kept))
        _insert(written, edits.inserted.get(index, ()))
        contents = [encoded_parts({**fields, "parts": encoded_parts(kept)}) for _, fields, kept in written]
        return bytes(encoded_parts({**request, "contents": encoded_parts(contents)}))

    def accepts_system(self, model: str) -> bool:
        """The API has no such messages."""
        return False


def _role(fields: dict[str, Raw]) -> str:
    return _MODEL if bytes(fields.get("role", Raw(b""))) == b'"model"' else "user"


def _insert(
    written: list[tuple[str, dict[str, Raw], list[Raw]]], insertions: tuple[ConversationInsertion, ...]
) -> None:
    for reminder in insertions:
        if isinstance(reminder, InsertedMessages):
            for fields in map(object_parts, list_parts(reminder.messages.encode())):
                written.append((_role(fields), fields, list_parts(fields.get("parts", Raw(b"[]")))))
            continue
        part = encoded_value({"text": reminder.text})
        if written and written[-1][0] != _MODEL:
            written[-1][2].append(part)
        else:
            written.append(("user", {"role": Raw(b'"user"')}, [part]))


def _edited(part: Raw, index: int, edits: ConversationEdits) -> list[Raw]:
    if index in edits.cut:
        text = get_text(read_object(bytes(part)), "text")[edits.cut[index] :]
        return [encoded_parts({**object_parts(part), "text": encoded_value(text)})]
    if index in edits.prefixed:  # A result must match the tool's schema, so the reminder follows it.
        return [part, encoded_value({"text": edits.prefixed[index]})]
    return [part]


def _item(number: int, content: Any, part: Any) -> ConversationItem:
    is_model = get_text(content, "role") == _MODEL
    result = get_field(part, "functionResponse")
    is_thought = get_field(part, "thought") is True
    is_text = result is None and get_field(part, "functionCall") is None
    return ConversationItem(
        is_model=is_model,
        message=number,
        identity=part_identity(part) if is_model and not is_thought else None,
        text=get_text(part, "text") if is_text and not is_thought else None,
        call=(get_text(result, "id") or get_text(result, "name")) if result is not None else "",
        digest=None if is_thought else partial(content_digest, [is_model, _stable_content(part)]),
    )


def _stable_content(part: Any) -> Any:
    """Returns a part without the content that clients may omit when they send it again."""
    if isinstance(part, dict):
        return {key: value for key, value in part.items() if key != "thoughtSignature"}
    return part
