"""Requests of OpenAI's Responses API: a flat list of items. A reminder is a message of the developer."""

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
from ttsr_ls.bridge.proxy.streams.responses_stream import item_identity, message_text
from ttsr_ls.bridge.wire.fields import get_field, get_list, get_text

_OUTPUT = "_output"
_NOTICE = "<subagent_notification>"
"""How Codex begins the user's message by which an agent learns that a subagent ended."""


class ResponsesRequest(RequestEditor):
    """Reads and edits requests of the Responses API."""

    def read(self, body: bytes) -> Conversation:
        value = read_object(body)
        prompt = get_field(value, "input")
        items = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else get_list(value, "input")
        last = items[-1] if items else None
        said = message_text(last) if get_text(last, "role") == "user" else None
        return Conversation(
            items=tuple(_conversation_item(number, item) for number, item in enumerate(items)),
            model=get_text(value, "model"),
            has_tools=bool(get_list(value, "tools")),
            prompt=said,
            fields=value,
            is_notice=said is not None and said.startswith(_NOTICE),
        )

    def append_answer(self, body: bytes, parts: list[Any]) -> bytes:
        request = object_parts(body)
        items = [*_items(request), *map(encoded_value, parts)]
        return bytes(encoded_parts({**request, "input": encoded_parts(items)}))

    def apply_edits(self, body: bytes, edits: ConversationEdits) -> bytes:
        if edits.is_empty:
            return body
        request = object_parts(body)
        items = _items(request)
        written: list[Raw] = []
        for index, item in enumerate(items):
            written += _inserted(edits.inserted.get(index, ()))
            if index in edits.cut:
                written.append(_cut(item, edits.cut[index]))
            elif index in edits.prefixed:
                written.append(_prefixed(item, edits.prefixed[index]))
            elif index not in edits.removed:
                written.append(item)
        written += _inserted(edits.inserted.get(len(items), ()))
        return bytes(encoded_parts({**request, "input": encoded_parts(written)}))

    def accepts_system(self, model: str) -> bool:
        """All models accept developer messages anywhere."""
        return True


def _items(request: dict[str, Raw]) -> list[Raw]:
    value = request.get("input", Raw(b"[]"))
    if bytes(value).lstrip().startswith(b'"'):
        return [encoded_parts({"role": Raw(b'"user"'), "content": value})]
    return list_parts(value)


def _inserted(insertions: tuple[ConversationInsertion, ...]) -> list[Raw]:
    items: list[Raw] = []
    for insertion in insertions:
        if isinstance(insertion, InsertedMessages):
            items += list_parts(insertion.messages.encode())
            continue
        role = "developer" if insertion.as_system else "user"
        content = [{"type": "input_text", "text": insertion.text}]
        items.append(encoded_value({"type": "message", "role": role, "content": content}))
    return items


def _cut(item: Raw, start: int) -> Raw:
    content = [{"type": "output_text", "text": message_text(read_object(bytes(item)))[start:]}]
    return encoded_parts({**object_parts(item), "content": encoded_value(content)})


def _prefixed(item: Raw, text: str) -> Raw:
    fields = object_parts(item)
    output = read_object(bytes(item)).get("output")
    if isinstance(output, str):
        return encoded_parts({**fields, "output": encoded_value(f"{text}\n\n{output}")})
    before = encoded_value({"type": "input_text", "text": text})
    return encoded_parts({**fields, "output": encoded_parts([before, *list_parts(fields.get("output", Raw(b"[]")))])})


def _conversation_item(index: int, item: Any) -> ConversationItem:
    kind, role = get_text(item, "type"), get_text(item, "role")
    is_result = kind.endswith(_OUTPUT)
    is_model = role == "assistant" if role else not is_result
    output = get_field(item, "output")
    text = message_text(item) if role else output if is_result and isinstance(output, str) else None
    return ConversationItem(
        is_model=is_model,
        message=index,
        identity=item_identity(item if kind else {**item, "type": "message"}) if is_model else None,
        text=text,
        call=get_text(item, "call_id") if is_result else "",
        digest=None if kind == "reasoning" else partial(_digest, item, text),
    )


def _digest(item: Any, text: str | None) -> str:
    """Returns a digest without the ids and states of items, which clients drop."""
    call_id = get_text(item, "call_id")
    content = call_id if text is None else [get_text(item, "role"), call_id, text]
    return content_digest([get_text(item, "type") or "message", content])
