"""A conversation as the `messages` of Anthropic's Messages API.

Roles alternate, adjacent messages of one role are merged, and the first and last messages are the user's (spec V1). The
results of an answer's calls are all at the start of the very next message, in the order of the calls (spec V2 to V4). A
server tool's use and result are adjacent (spec V5). Signed thinking is sent back unchanged; unsigned one is left out.
"""

from __future__ import annotations

from typing import Any, assert_never

from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn_output import Image, RedactedThinking, SealedReasoning, ServerTool, Text, Thinking
from ttsr_ls.session.projection.conversation import AssistantMessage, CallWithResult, Item, Part, PromptMessage
from ttsr_ls.session.projection.system_messages import SystemMessages
from ttsr_ls.session.projection.wire import branch_messages
from ttsr_ls.session.projection.wire_values import json_object, json_value

OPENING = "[The beginning of this conversation is not on record.]"
CONTINUE = "[Continue.]"

_Block = dict[str, Any]


class AnthropicWire:
    """The messages, item by item; `finish` makes them ready to be sent.

    Models before Claude Opus 4.8 accept no system message among them; later ones accept one right after a message of
    the user. Anywhere else, a system message is sent as the user's.
    """

    __slots__ = ("_system_messages", "messages")

    def __init__(
        self, messages: list[dict[str, Any]] | None = None, system_messages: SystemMessages = SystemMessages.REFUSED
    ) -> None:
        self._system_messages = system_messages
        self.messages = [] if messages is None else messages

    def branch(self) -> AnthropicWire:
        """A copy that can be added to without changing this one."""
        return AnthropicWire(branch_messages(self.messages), self._system_messages)

    def add(self, item: Item) -> None:
        match item:
            case PromptMessage():
                _add(self.messages, self._role(item), [_encoded_part(part) for part in item.parts])
            case AssistantMessage():
                _add(self.messages, "assistant", _answer(item))
                _add(self.messages, "user", [_result(call) for call in item.calls])
            case _:
                assert_never(item)

    def _role(self, message: PromptMessage) -> str:
        """The API refuses a system message that is the first, or that follows an answer, and pictures in one."""
        is_system = message.role is Role.SYSTEM and self._system_messages is SystemMessages.ACCEPTED
        follows = bool(self.messages) and self.messages[-1]["role"] != "assistant"
        return (
            "system" if is_system and follows and not any(isinstance(part, Image) for part in message.parts) else "user"
        )

    def finish(self) -> None:
        """Adds messages of the user before and after the others where the API needs them. Call it last."""
        messages = self.messages
        if messages and messages[0]["role"] == "assistant":
            messages.insert(0, {"role": "user", "content": [_text(OPENING)]})
        if messages and messages[-1]["role"] == "assistant":
            messages.append({"role": "user", "content": [_text(CONTINUE)]})


def _add(messages: list[dict[str, Any]], role: str, blocks: list[_Block]) -> None:
    if not blocks:
        return
    if messages and messages[-1]["role"] == role:
        messages[-1]["content"] += blocks
    else:
        messages.append({"role": role, "content": blocks})


def _encoded_part(part: Text | Image) -> _Block:
    return _text(part.text) if isinstance(part, Text) else _image(part)


def _answer(answer: AssistantMessage) -> list[_Block]:
    blocks = [block for part in answer.parts for block in _blocks(part)]
    while blocks and blocks[-1]["type"] in ("thinking", "redacted_thinking"):
        blocks.pop()  # The API refuses an answer that ends with thinking, such as one that was interrupted there.
    return blocks


def _blocks(part: Part) -> list[_Block]:
    match part:
        case Text():
            return [_text(part.text)]
        case Thinking():
            if part.signature is None:
                return []
            return [{"type": "thinking", "thinking": part.text, "signature": part.signature}]
        case RedactedThinking():
            return [{"type": "redacted_thinking", "data": part.data}]
        case SealedReasoning():
            return []
        case ServerTool():
            use = {"type": "server_tool_use", "id": part.id, "name": part.tool, "input": json_object(part.arguments)}
            return [use, {"type": part.result_type, "tool_use_id": part.id, "content": json_value(part.result)}]
        case CallWithResult():
            return [{"type": "tool_use", "id": part.id, "name": part.tool, "input": json_object(part.arguments)}]
    assert_never(part)


def _result(call: CallWithResult) -> _Block:
    result = call.result
    texts = [_text(text) for text in (result.host_text, result.text) if text]
    is_plain = not result.images and not result.host_text
    block: _Block = {
        "type": "tool_result",
        "tool_use_id": call.id,
        "content": result.text if is_plain else [*texts, *(_image(image) for image in result.images)],
    }
    if result.failed:
        block["is_error"] = True
    return block


def _text(text: str) -> _Block:
    return {"type": "text", "text": text}


def _image(image: Image) -> _Block:
    return {"type": "image", "source": {"type": "base64", "media_type": image.media_type, "data": image.data}}
