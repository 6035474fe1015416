"""A conversation as the `contents` of Google's Gemini API.

Roles alternate, adjacent contents of one role are merged, and the first and last contents are the user's. The content
right after a model's function calls begins with the responses to all of them, in the order of the calls. A thought
signature is sent back with its part. The API has system text for a whole request only, so a system message within a
conversation is sent as the user's.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from ttsr_ls.session.history.turn_output import Image, RedactedThinking, SealedReasoning, ServerTool, Text, Thinking
from ttsr_ls.session.projection.anthropic import CONTINUE, OPENING
from ttsr_ls.session.projection.conversation import AssistantMessage, CallWithResult, Item, Part, PromptMessage
from ttsr_ls.session.projection.openai_chat import SEE_IMAGES
from ttsr_ls.session.projection.server_note import server_note
from ttsr_ls.session.projection.wire import branch_messages
from ttsr_ls.session.projection.wire_values import MAX_NAME_LENGTH, json_object

UNSIGNED = "skip_thought_signature_validator"
"""The signature that Google documents for a call that its model did not make, or made without a signature.

Models since Gemini 3 refuse an answer whose first function call has no signature.
"""

_FOREIGN_IDS = ("call_", "toolu_")
"""The prefixes of ids that are generated here or by OpenAI, and of those of Anthropic."""

_REFUSED_IMAGES = frozenset({"image/gif"})

_Part = dict[str, Any]


class GeminiWire:
    """The contents, item by item; `finish` makes them ready to be sent."""

    __slots__ = ("messages",)

    def __init__(self, messages: list[dict[str, Any]] | None = None) -> None:
        self.messages = [] if messages is None else messages

    def branch(self) -> GeminiWire:
        """A copy that can be added to without changing this one."""
        return GeminiWire(branch_messages(self.messages))

    def add(self, item: Item) -> None:
        match item:
            case PromptMessage():
                _add(self.messages, "user", [_encoded_part(part) for part in item.parts])
            case AssistantMessage():
                _add(self.messages, "model", _answer(item))
                _add(self.messages, "user", [*map(_response, item.calls), *_images(item.calls)])
            case _:
                assert_never(item)

    def finish(self) -> None:
        """Adds contents of the user before and after the others where the API needs them. Call it last."""
        messages = self.messages
        if messages and messages[0]["role"] == "model":
            messages.insert(0, {"role": "user", "parts": [{"text": OPENING}]})
        if messages and messages[-1]["role"] == "model":
            messages.append({"role": "user", "parts": [{"text": CONTINUE}]})


def _add(messages: list[dict[str, Any]], role: str, parts: list[_Part]) -> None:
    if not parts:
        return
    if messages and messages[-1]["role"] == role:
        messages[-1]["parts"] += parts
    else:
        messages.append({"role": role, "parts": parts})


def _encoded_part(part: Text | Image) -> _Part:
    return {"text": part.text} if isinstance(part, Text) else _image(part)


def _answer(answer: AssistantMessage) -> list[_Part]:
    """Returns the parts of an answer, without thoughts at its end: thoughts alone are no answer."""
    parts = [sent for part in answer.parts for sent in _part(part)]
    while parts and parts[-1].get("thought"):
        parts.pop()
    first = next((part for part in parts if "functionCall" in part), None)
    if first is not None:
        first.setdefault("thoughtSignature", UNSIGNED)
    return parts


def _part(part: Part) -> list[_Part]:
    match part:
        case Text():
            return [_signed({"text": part.text}, part.thought_signature)]
        case Thinking():
            if part.thought_signature is None:
                return []
            return [_signed({"text": part.text, "thought": True}, part.thought_signature)]
        case RedactedThinking() | SealedReasoning():
            return []
        case ServerTool():
            return [{"text": server_note(part)}]
        case CallWithResult():
            call = {**_identity(part), "args": json_object(part.arguments)}
            return [_signed({"functionCall": call}, part.thought_signature)]
    assert_never(part)


def _signed(part: _Part, signature: str | None) -> _Part:
    return part if signature is None else {**part, "thoughtSignature": signature}


def _identity(call: CallWithResult) -> dict[str, str]:
    """Returns the name of a function, and the call's id if Google assigned it. Google's names begin with a letter or an
    underscore.

    Not every endpoint of Google accepts ids, so an id that was generated here or by another provider is not sent:
    responses are in the order of their calls.
    """
    name = call.tool if call.tool[:1].isalpha() or call.tool[:1] == "_" else f"_{call.tool}"[:MAX_NAME_LENGTH]
    return {"name": name} if call.id.startswith(_FOREIGN_IDS) else {"id": call.id, "name": name}


def _response(call: CallWithResult) -> _Part:
    """Returns the response to a call. The host's text has a key of its own, which no tool can write."""
    result = call.result
    response = {"note_from_host": result.host_text} if result.host_text else {}
    response["error" if result.failed else "output"] = result.text or SEE_IMAGES
    return {"functionResponse": {**_identity(call), "response": response}}


def _images(calls: Iterable[CallWithResult]) -> list[_Part]:
    """Returns the images of results, to be sent after all responses: a response contains JSON only."""
    parts: list[_Part] = []
    for call in calls:
        if call.result.images:
            parts += [{"text": f"[images from {call.tool}, call {call.id}]"}, *map(_image, call.result.images)]
    return parts


def _image(image: Image) -> _Part:
    if image.media_type in _REFUSED_IMAGES:
        return {"text": f"[an image of type {image.media_type} is left out]"}
    return {"inlineData": {"mimeType": image.media_type, "data": image.data}}
