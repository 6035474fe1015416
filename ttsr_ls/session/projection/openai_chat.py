"""A conversation as the `messages` of OpenAI's Chat Completions API, which many other servers speak.

Tool messages come right after the answer with their calls, in the order of the calls. They contain text only, so images
are sent in a message of the user after them. The API has no place for reasoning.
"""

from __future__ import annotations

from typing import Any, assert_never

from msgspec.structs import replace

from ttsr_ls.session.history.turn_output import Image, ServerTool, Text
from ttsr_ls.session.projection.conversation import AssistantMessage, CallWithResult, Item, PromptMessage, Result
from ttsr_ls.session.projection.server_note import server_note
from ttsr_ls.session.projection.system_messages import SystemMessages, role_of
from ttsr_ls.session.projection.wire import branch_messages

SEE_IMAGES = "[see the images below]"

_Part = dict[str, Any]


class ChatWire:
    """The messages, item by item."""

    __slots__ = ("_system_messages", "messages")

    def __init__(
        self, messages: list[dict[str, Any]] | None = None, system_messages: SystemMessages = SystemMessages.ACCEPTED
    ) -> None:
        self._system_messages = system_messages
        self.messages = [] if messages is None else messages

    def branch(self) -> ChatWire:
        """A copy that can be added to without changing this one."""
        return ChatWire(branch_messages(self.messages), self._system_messages)

    def add(self, item: Item) -> None:
        match item:
            case PromptMessage():
                _add_message(
                    self.messages, role_of(item, self._system_messages), [_encoded_part(part) for part in item.parts]
                )
            case AssistantMessage():
                _answer(self.messages, item)
            case _:
                assert_never(item)

    def finish(self) -> None:
        """Any list of these messages can be sent."""


def _add_message(messages: list[dict[str, Any]], role: str, parts: list[_Part]) -> None:
    """Adds a message, or extends the last one if it has the same role. Text alone is a string, which every server
    accepts."""
    if messages and messages[-1]["role"] == role:
        last = messages.pop()["content"]
        parts = [*([_text(last)] if isinstance(last, str) else last), *parts]
    is_plain = all(part["type"] == "text" for part in parts)
    messages.append({"role": role, "content": "\n\n".join(part["text"] for part in parts) if is_plain else parts})


def _answer(messages: list[dict[str, Any]], answer: AssistantMessage) -> None:
    texts = []
    for part in answer.parts:
        if isinstance(part, Text):
            texts.append(part.text)
        elif isinstance(part, ServerTool):
            texts.append(server_note(part))
    calls = answer.calls
    if not texts and not calls:
        return
    if messages and messages[-1]["role"] == "assistant":
        last = messages.pop()["content"]  # It has no calls: else it would be followed by tool messages.
        texts = [last, *texts]
    message: dict[str, Any] = {"role": "assistant", "content": "\n\n".join(texts) if texts else None}
    if calls:
        message["tool_calls"] = [_call(call) for call in calls]
    messages.append(message)
    for call in calls:
        messages.append({"role": "tool", "tool_call_id": call.id, "content": _result(call.result)})
    for call in calls:
        if call.result.images:
            images = [_image(image) for image in call.result.images]
            _add_message(messages, "user", [_text(f"[images from {call.tool}, call {call.id}]"), *images])


def _result(result: Result) -> str:
    """Returns one string: many servers accept no list of parts here."""
    return result.joined if result.text else replace(result, text=SEE_IMAGES).joined


def _call(call: CallWithResult) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.tool, "arguments": call.arguments}}


def _encoded_part(part: Text | Image) -> _Part:
    return _text(part.text) if isinstance(part, Text) else _image(part)


def _text(text: str) -> _Part:
    return {"type": "text", "text": text}


def _image(image: Image) -> _Part:
    return {"type": "image_url", "image_url": {"url": f"data:{image.media_type};base64,{image.data}"}}
