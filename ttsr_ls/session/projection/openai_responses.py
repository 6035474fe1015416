"""A conversation as the `input` of OpenAI's Responses API.

All calls of an answer come before all of their outputs, both in the order in which the model made them. Reasoning is
sent back unchanged, once, and only before the output that followed it: the API refuses reasoning alone.
"""

from __future__ import annotations

from typing import Any, assert_never

from ttsr_ls.session.history.turn_output import Image, RedactedThinking, SealedReasoning, ServerTool, Text, Thinking
from ttsr_ls.session.projection.conversation import AssistantMessage, CallWithResult, Item, Part, PromptMessage, Result
from ttsr_ls.session.projection.server_note import server_note
from ttsr_ls.session.projection.system_messages import SystemMessages, role_of
from ttsr_ls.session.projection.wire import SeenIds, branch_messages

_Item = dict[str, Any]


class ResponsesWire:
    """The input items, item by item of the conversation. `reasoned` has the ids of the reasoning that was sent."""

    __slots__ = ("_reasoned", "_system_messages", "messages")

    def __init__(
        self,
        messages: list[_Item] | None = None,
        reasoned: SeenIds | None = None,
        system_messages: SystemMessages = SystemMessages.ACCEPTED,
    ) -> None:
        self._system_messages = system_messages
        self.messages: list[_Item] = [] if messages is None else messages
        self._reasoned = SeenIds() if reasoned is None else reasoned

    def branch(self) -> ResponsesWire:
        """A copy that can be added to without changing this one, which must not change meanwhile."""
        return ResponsesWire(branch_messages(self.messages), self._reasoned.branch(), self._system_messages)

    def add(self, item: Item) -> None:
        match item:
            case PromptMessage():
                _message(
                    self.messages, role_of(item, self._system_messages), [_encoded_part(part) for part in item.parts]
                )
            case AssistantMessage():
                _answer(self.messages, item, self._reasoned)
            case _:
                assert_never(item)

    def finish(self) -> None:
        """Any list of these items can be sent."""


def _message(wire: list[_Item], role: str, content: list[_Item]) -> None:
    if wire and wire[-1]["type"] == "message" and wire[-1]["role"] == role:
        wire[-1]["content"] += content
    else:
        wire.append({"type": "message", "role": role, "content": content})


def _answer(wire: list[_Item], answer: AssistantMessage, reasoned: SeenIds) -> None:
    pending_items: list[_Item] = []
    for part in answer.parts:
        match part:
            case SealedReasoning():
                if reasoned.is_first(part.id):
                    pending_items.append(_reasoning(part))
            case Thinking() | RedactedThinking():
                pass
            case Text() | ServerTool() | CallWithResult():
                wire += pending_items
                pending_items = []
                _add_output(wire, part)
            case _:
                assert_never(part)
    wire += [
        {"type": "function_call_output", "call_id": call.id, "output": _output(call.result)} for call in answer.calls
    ]


def _add_output(wire: list[_Item], part: Part) -> None:
    if isinstance(part, CallWithResult):
        wire.append({"type": "function_call", "call_id": part.id, "name": part.tool, "arguments": part.arguments})
    elif isinstance(part, Text):
        _message(wire, "assistant", [{"type": "output_text", "text": part.text}])
    elif isinstance(part, ServerTool):
        _message(wire, "assistant", [{"type": "output_text", "text": server_note(part)}])


def _reasoning(part: SealedReasoning) -> _Item:
    summary = [{"type": "summary_text", "text": text} for text in part.summary]
    return {"type": "reasoning", "id": part.id, "summary": summary, "encrypted_content": part.sealed}


def _output(result: Result) -> str | list[_Item]:
    if not result.images and not result.host_text:
        return result.text
    texts = [_text(text) for text in (result.host_text, result.text) if text]
    return [*texts, *(_image(image) for image in result.images)]


def _encoded_part(part: Text | Image) -> _Item:
    return _text(part.text) if isinstance(part, Text) else _image(part)


def _text(text: str) -> _Item:
    return {"type": "input_text", "text": text}


def _image(image: Image) -> _Item:
    return {"type": "input_image", "detail": "auto", "image_url": f"data:{image.media_type};base64,{image.data}"}
