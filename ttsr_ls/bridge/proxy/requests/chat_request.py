"""Requests of OpenAI's Chat Completions API.

A reminder is a user message: the chat templates of many local models accept a system message only at the beginning.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec import Raw

from ttsr_ls.bridge.proxy.ledger.identity import call_identity, content_digest, text_identity
from ttsr_ls.bridge.proxy.requests.conversation import (
    Conversation,
    ConversationEdits,
    ConversationInsertion,
    ConversationItem,
    InsertedMessages,
)
from ttsr_ls.bridge.proxy.requests.fragments import encoded_parts, encoded_value, list_parts, object_parts, read_object
from ttsr_ls.bridge.proxy.requests.request_editor import RequestEditor
from ttsr_ls.bridge.proxy.streams.chat_stream import chat_text
from ttsr_ls.bridge.wire.fields import get_field, get_list, get_text


class ChatRequest(RequestEditor):
    """Reads and edits requests of the Chat Completions API."""

    def read(self, body: bytes) -> Conversation:
        value = read_object(body)
        messages = get_list(value, "messages")
        last = messages[-1] if messages else None
        return Conversation(
            items=tuple(item for number, message in enumerate(messages) for item in _items(number, message)),
            model=get_text(value, "model"),
            has_tools=bool(get_list(value, "tools") or get_list(value, "functions")),
            prompt=chat_text(last) if get_text(last, "role") == "user" else None,
            fields=value,
        )

    def apply_edits(self, body: bytes, edits: ConversationEdits) -> bytes:
        if edits.is_empty:
            return body
        request = object_parts(body)
        written: list[Raw] = []
        index = 0
        for raw, message in zip(
            list_parts(request.get("messages", Raw(b"[]"))), get_list(read_object(body), "messages"), strict=True
        ):
            start, index = index, index + len(_items(0, message))
            for item in range(start, index):
                written += _inserted(edits.inserted.get(item, ()))
            edited = _edited(raw, message, range(start, index), edits)
            if edited is not None:
                written.append(edited)
        written += _inserted(edits.inserted.get(index, ()))
        return bytes(encoded_parts({**request, "messages": encoded_parts(written)}))

    def accepts_system(self, model: str) -> bool:
        """Unknown, as any model may be behind this wire."""
        return False


def _inserted(insertions: tuple[ConversationInsertion, ...]) -> list[Raw]:
    messages: list[Raw] = []
    for insertion in insertions:
        if isinstance(insertion, InsertedMessages):
            messages += list_parts(insertion.messages.encode())
        else:
            messages.append(encoded_value({"role": "user", "content": insertion.text}))
    return messages


def _edited(raw: Raw, message: Any, indexes: range, edits: ConversationEdits) -> Raw | None:
    """Returns the message with the edits of its parts; None if all parts are removed."""
    removed = [index for index in indexes if index in edits.removed]
    if not removed and not any(index in edits.cut or index in edits.prefixed for index in indexes):
        return raw
    fields = object_parts(raw)
    first = indexes[0] if indexes else -1
    if first in edits.prefixed:
        return encoded_parts({**fields, "content": _prefixed(fields, message, edits.prefixed[first])})
    if first in edits.cut:
        return encoded_parts({**fields, "content": encoded_value(chat_text(message)[edits.cut[first] :])})
    if len(removed) == len(indexes):
        return None
    # The text is removed, the calls stay.
    return encoded_parts({**fields, "content": Raw(b"null")})


def _prefixed(fields: dict[str, Raw], message: Any, text: str) -> Raw:
    content = get_field(message, "content")
    if isinstance(content, str):
        return encoded_value(f"{text}\n\n{content}")
    before = encoded_value({"type": "text", "text": text})
    return encoded_parts([before, *list_parts(fields.get("content", Raw(b"[]")))])


def _items(number: int, message: Any) -> list[ConversationItem]:
    role = get_text(message, "role")
    if role != "assistant":
        call = get_text(message, "tool_call_id")
        # Clients put changing values, such as the date, into the system message.
        digest = None if role in ("system", "developer") else partial(_digest, role, call, message)
        return [ConversationItem(False, number, None, chat_text(message), call, digest=digest)]
    text = chat_text(message)
    items = []
    if text:
        text_digest = partial(content_digest, [role, text.strip()])
        items.append(ConversationItem(True, number, text_identity(text), text, digest=text_digest))
    for item in get_list(message, "tool_calls"):
        identity = get_text(item, "id")
        call_digest = partial(content_digest, [role, identity])
        items.append(ConversationItem(True, number, call_identity(identity), digest=call_digest))
    return items


def _digest(role: str, call_id: str, message: Any) -> str:
    return content_digest([role, call_id, get_field(message, "content")])
