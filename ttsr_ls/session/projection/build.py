"""Builds the conversation of one agent from the turns.

Triggers get their prefixes, calls their results and unique ids; content that no provider accepts is left out or named.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import assert_never

from ttsr_ls.escaping import well_formed
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import (
    AgentMessage,
    BackgroundHook,
    ChannelMessage,
    CompactionRehydration,
    CompactionSummary,
    GoalContinuation,
    Injection,
    ResumedSession,
    ScheduledTask,
    TurnTrigger,
    UnseenTrigger,
    UserInput,
)
from ttsr_ls.session.history.turn_output import (
    CallAbandoned,
    CallDone,
    CallPending,
    CallRefused,
    CallRunning,
    Image,
    RedactedThinking,
    SealedReasoning,
    ServerTool,
    Text,
    Thinking,
    ToolCall,
    ToolItem,
)
from ttsr_ls.session.lifecycle.templates import TOOL_OUTPUT_NOTICE, contains_host_tag, input_change_note
from ttsr_ls.session.projection.conversation import AssistantMessage, CallWithResult, Item, Part, PromptMessage, Result
from ttsr_ls.session.projection.visible import Exchange, Visible
from ttsr_ls.session.projection.wire_values import CallIds, is_blank, json_object, json_value, tool_name

IMAGE_TYPES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""The image types that are sent to providers (Google accepts no GIF). Other images are replaced by their type."""

_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_RESULT_TYPE = re.compile(r"[a-z_]{1,40}_tool_result")

NO_OUTPUT = "[no output]"
NO_RESULT_YET = "[no result yet]"
_UNRECORDED = CallAbandoned("no result is on record")


class ConversationBuilder:
    """Builds `items` from the visible entries since the last compaction, one by one. `ids` are the ids of its calls.

    Items depend on earlier entries only by `ids`, so a caller may remove the items that it has used.
    """

    __slots__ = ("_ids", "items")

    def __init__(self, ids: CallIds | None = None) -> None:
        self.items: list[Item] = []
        self._ids = CallIds() if ids is None else ids

    def branch(self) -> ConversationBuilder:
        """A builder without items that continues this one, which must not change meanwhile."""
        return ConversationBuilder(self._ids.branch())

    def add(self, entry: Visible) -> None:
        """Adds the items of an entry."""
        match entry:
            case Exchange():
                self._add_exchange(entry)
            case Injection():
                self._add_message(entry.role, entry.text, ())
            case CompactionSummary():
                self._add_message(Role.USER, entry.summary, ())
                self._add_answer([Text(entry.acknowledgement)])
            case CompactionRehydration():
                self._add_files(entry)
            case _:
                self._add_trigger(entry)

    def _add_trigger(self, trigger: TurnTrigger) -> None:
        match trigger:
            case UserInput():
                self._add_message(Role.USER, trigger.text, trigger.images)
            case ScheduledTask():
                self._add_message(Role.USER, f"[scheduled] {trigger.text}", ())
            case AgentMessage():
                self._add_message(Role.USER, f"[from: {trigger.sender}] {trigger.text}", ())
            case ChannelMessage():
                self._add_message(Role.USER, f"[from: #{trigger.channel}/{trigger.sender}] {trigger.text}", ())
            case GoalContinuation() | BackgroundHook():
                self._add_message(Role.USER, trigger.text, ())
            case ResumedSession() | UnseenTrigger():
                pass
            case _:
                assert_never(trigger)

    def _add_message(self, role: Role, text: str, images: tuple[Image, ...]) -> None:
        sent_images, notes = _sendable(images)
        texts = [Text(well_formed(piece)) for piece in (text, *notes) if not is_blank(piece)]
        if texts or sent_images:
            self.items.append(PromptMessage(role, (*texts, *sent_images)))

    def _add_answer(self, parts: list[Part]) -> None:
        kept: list[Part] = []
        for part in parts:
            if not isinstance(part, Text):
                kept.append(part)
            elif not is_blank(part.text):
                kept.append(Text(well_formed(part.text), part.thought_signature))
        if kept:
            self.items.append(AssistantMessage(tuple(kept)))

    def _add_exchange(self, exchange: Exchange) -> None:
        batch = exchange.batch
        items = {} if batch is None else {item.call: item for item in batch.items}
        parts: list[Part] = []
        for output in exchange.answer.output:
            match output:
                case Text() | RedactedThinking():
                    parts.append(output)
                case Thinking():
                    parts.append(Thinking(well_formed(output.text), output.signature, output.thought_signature))
                case SealedReasoning():
                    summary = tuple(well_formed(text) for text in output.summary)
                    parts.append(SealedReasoning(output.id, summary, output.sealed))
                case ServerTool():
                    parts += self._server_tool(output)
                case ToolCall():
                    item = items.pop(output.id, ToolItem(output.id, output.tool, _UNRECORDED))
                    if exchange.answer.complete or _could_run(output, item):
                        parts.append(self._call(output, item))
                case _:
                    assert_never(output)
        self._add_answer(parts)

    def _add_files(self, step: CompactionRehydration) -> None:
        calls: list[Part] = []
        for file in step.files:
            call = ToolCall("", step.tool, file.arguments)
            calls.append(self._call(call, ToolItem("", step.tool, CallDone(file.content))))
        self._add_answer(calls)

    def _call(self, call: ToolCall, item: ToolItem) -> CallWithResult:
        identity, name = self._ids.unique(call.id, "call_"), tool_name(call.tool)
        return CallWithResult(identity, name, _arguments(call.arguments), _result(item), call.thought_signature)

    def _server_tool(self, pair: ServerTool) -> list[Part]:
        """Returns the pair, or nothing if a part of it cannot be sent: neither is valid without the other (spec V5)."""
        try:
            json_object(pair.arguments)
            json_value(pair.result)
        except ValueError:
            return []
        if not _RESULT_TYPE.fullmatch(pair.result_type):
            return []
        name = self._ids.unique(pair.id, "srvtoolu_")
        return [ServerTool(name, tool_name(pair.tool), pair.arguments, pair.result_type, pair.result)]


def _could_run(call: ToolCall, item: ToolItem) -> bool:
    """Returns whether an interrupted answer has enough of a call to send it."""
    if isinstance(item.state, CallDone | CallRefused):
        return True
    try:
        json_object(call.arguments)
    except ValueError:
        return False
    return not is_blank(call.arguments)


def _arguments(text: str) -> str:
    """Returns the text of a JSON object that can be sent: `text` itself if possible; `{}` if it is no JSON object."""
    try:
        value = json_object(text)
    except ValueError:
        return "{}"
    return text if text.isascii() and "\\u" not in text and value else json.dumps(value, ensure_ascii=False)


def _result(item: ToolItem) -> Result:
    match item.state:
        case CallDone(result, pictures):
            images, notes = _sendable(pictures)
            return _call_with_result(item, [result, *notes], images, failed=False)
        case CallRefused(result, denied_by):
            return _call_with_result(item, [result], (), failed=True, is_from_host=denied_by is not None)
        case CallAbandoned(reason):
            return _call_with_result(item, [f"[cancelled: {reason}]"], (), failed=True)
        case CallPending() | CallRunning():
            return _call_with_result(item, [NO_RESULT_YET], (), failed=False)
        case _:
            assert_never(item.state)


def _call_with_result(
    item: ToolItem, texts: list[str], images: tuple[Image, ...], *, failed: bool, is_from_host: bool = False
) -> Result:
    text = _joined(texts)
    reminders = list(item.reminders)
    if item.arguments is not None:
        reminders.append(input_change_note(item.arguments))
    if contains_host_tag(text) and not is_from_host:
        reminders.append(TOOL_OUTPUT_NOTICE)
    return Result(text if text or images else NO_OUTPUT, images, failed, _joined(reminders))


def _joined(texts: Iterable[str]) -> str:
    return "\n\n".join(well_formed(text) for text in texts if not is_blank(text))


def _sendable(images: tuple[Image, ...]) -> tuple[tuple[Image, ...], list[str]]:
    """Returns the images that providers accept, and a note for each of the others."""
    sent_images = tuple(image for image in images if image.media_type in IMAGE_TYPES and _BASE64.fullmatch(image.data))
    notes = [f"[an image of type {image.media_type[:40]} is left out]" for image in images if image not in sent_images]
    return sent_images, notes
