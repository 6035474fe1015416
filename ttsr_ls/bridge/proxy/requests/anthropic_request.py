"""Requests of Anthropic's Messages API.

A reminder follows the last user message: as a system message if the model accepts one there, otherwise as a block of
text after all tool results in that message.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec import Raw

from ttsr_ls.bridge.model.system_messages import is_since_opus_4_8
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
from ttsr_ls.bridge.proxy.streams.anthropic_stream import block_identity
from ttsr_ls.bridge.wire.fields import get_field, get_list, get_text

_REASONING = ("thinking", "redacted_thinking")


class AnthropicRequest(RequestEditor):
    """Reads and edits requests of the Messages API."""

    def read(self, body: bytes) -> Conversation:
        value = read_object(body)
        messages = get_list(value, "messages")
        items = [item for number, message in enumerate(messages) for item in _items(number, message)]
        last = messages[-1] if messages else None
        return Conversation(
            items=tuple(items),
            model=get_text(value, "model"),
            has_tools=bool(get_list(value, "tools")),
            prompt=_prompt(last),
            fields=value,
        )

    def append_answer(self, body: bytes, parts: list[Any]) -> bytes:
        if not parts:
            return body
        request = object_parts(body)
        messages = list_parts(request.get("messages", b"[]"))
        messages.append(encoded_value({"role": "assistant", "content": parts}))
        return bytes(encoded_parts({**request, "messages": encoded_parts(messages)}))

    def apply_edits(self, body: bytes, edits: ConversationEdits) -> bytes:
        if edits.is_empty:
            return body
        request = object_parts(body)
        writer = _Writer(edits)
        for message in list_parts(request.get("messages", b"[]")):
            writer.add(message)
        return bytes(encoded_parts({**request, "messages": encoded_parts(writer.finish())}))

    def accepts_system(self, model: str) -> bool:
        return is_since_opus_4_8(model)


class _Writer:
    """Writes messages, with the edits at the indexes of their blocks."""

    def __init__(self, edits: ConversationEdits) -> None:
        self._edits = edits
        self._index = 0
        self._written: list[Raw] = []
        self._role = ""
        """The role of the last message that was written."""

    def add(self, message: Raw) -> None:
        fields = object_parts(message)
        role = read_role(fields)
        blocks, is_string = _blocks(fields.get("content", Raw(b"[]")))
        start, end = self._index, self._index + len(blocks)
        self._index = end
        if not any(self._touches(index) for index in range(start, end)):
            self._write(role, message)
            return
        kept: list[Raw] = []
        for index, block in enumerate(blocks, start):
            if index in self._edits.inserted:
                if kept:
                    self._write(role, encoded_parts({**fields, "content": encoded_parts(kept)}))
                    kept = []
                self._insert(self._edits.inserted[index])
            if index not in self._edits.removed:
                kept.append(self._block(index, block))
        if kept:
            is_same = is_string and len(kept) == 1 and kept[0] is blocks[0]
            self._write(role, message if is_same else encoded_parts({**fields, "content": encoded_parts(kept)}))

    def finish(self) -> list[Raw]:
        self._insert(self._edits.inserted.get(self._index, ()))
        return self._written

    def _touches(self, index: int) -> bool:
        edits = self._edits
        return index in edits.removed or index in edits.cut or index in edits.inserted or index in edits.prefixed

    def _block(self, index: int, block: Raw) -> Raw:
        if index in self._edits.cut:
            fields = object_parts(block)
            text = read_object(bytes(block)).get("text", "")
            return encoded_parts({**fields, "text": encoded_value(text[self._edits.cut[index] :])})
        if index in self._edits.prefixed:
            return _prefixed(block, self._edits.prefixed[index])
        return block

    def _write(self, role: str, message: Raw) -> None:
        self._written.append(message)
        self._role = role

    def _insert(self, insertions: tuple[ConversationInsertion, ...]) -> None:
        for reminder in insertions:
            if isinstance(reminder, InsertedMessages):
                for message in list_parts(reminder.messages.encode()):
                    self._write(read_role(object_parts(message)), message)
            elif reminder.as_system and self._role in ("user", "system"):
                self._write("system", encoded_value({"role": "system", "content": reminder.text}))
            elif self._role == "user":
                last = object_parts(self._written[-1])
                blocks, _ = _blocks(last.get("content", Raw(b"[]")))
                blocks.append(encoded_value({"type": "text", "text": reminder.text}))
                self._written[-1] = encoded_parts({**last, "content": encoded_parts(blocks)})
            else:
                block = {"type": "text", "text": reminder.text}
                self._write("user", encoded_value({"role": "user", "content": [block]}))


def read_role(fields: dict[str, Raw]) -> str:
    """Returns the role of a message that is not decoded, such as `user`; an empty text if the message has none."""
    return bytes(fields.get("role", Raw(b'""'))).decode("utf-8", "replace").strip('"')


def _blocks(content: Raw) -> tuple[list[Raw], bool]:
    """Returns the blocks of a content, and whether it is a string, which becomes one block of text."""
    if bytes(content).lstrip().startswith(b'"'):
        return [encoded_parts({"type": Raw(b'"text"'), "text": content})], True
    return list_parts(content), False


def _prefixed(block: Raw, text: str) -> Raw:
    fields = object_parts(block)
    before = encoded_value({"type": "text", "text": text})
    if "content" not in fields:
        return encoded_parts({**fields, "content": encoded_parts([before])})
    return encoded_parts({**fields, "content": encoded_parts([before, *_blocks(fields["content"])[0]])})


def _items(number: int, message: Any) -> list[ConversationItem]:
    content = get_field(message, "content")
    role = get_text(message, "role")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else get_list(message, "content")
    is_model = role == "assistant"
    return [_item(number, is_model, role, block) for block in blocks]


def _item(number: int, is_model: bool, role: str, block: Any) -> ConversationItem:
    kind = get_text(block, "type")
    return ConversationItem(
        is_model=is_model,
        message=number,
        identity=block_identity(block) if is_model else None,
        text=get_text(block, "text") if kind == "text" else _result(block) if kind == "tool_result" else None,
        call=get_text(block, "tool_use_id") if kind == "tool_result" and not is_model else "",
        has_failed=get_field(block, "is_error") is True,
        digest=None if kind in _REASONING else partial(content_digest, [role, _stable_content(block)]),
    )


def _result(block: Any) -> str:
    content = get_field(block, "content")
    if isinstance(content, str):
        return content
    return "\n".join(get_text(part, "text") for part in get_list(block, "content") if get_text(part, "type") == "text")


def _stable_content(block: Any) -> Any:
    """Returns a block without the content that clients change when they send it again."""
    if get_text(block, "type") == "tool_use":  # Clients add defaults to the input of a call; the id identifies it.
        return {"type": "tool_use", "id": get_text(block, "id")}
    if get_text(block, "type") == "text":
        return {"type": "text", "text": get_text(block, "text").strip()}
    return block


def _prompt(message: Any) -> str | None:
    """Returns the user's text in the last message; None if that message has tool results."""
    content = get_field(message, "content")
    if get_text(message, "role") != "user":
        return None
    if isinstance(content, str):
        return content
    blocks = get_list(message, "content")
    if any(get_text(block, "type") == "tool_result" for block in blocks):
        return None
    text = [get_text(block, "text") for block in blocks if get_text(block, "type") == "text"]
    return text[-1] if text else ""
