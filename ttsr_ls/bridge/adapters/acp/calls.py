"""The tool calls that an update or a request for permission describes, in both versions of the protocol."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

from msgspec import Struct

from ttsr_ls.bridge.adapters.acp.git_patch import added_text_by_file
from ttsr_ls.bridge.wire.fields import expect_object, expect_text, get_object, get_objects, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject
from ttsr_ls.bridge.wire.malformed import note_unknown_kind
from ttsr_ls.session.output.js_json import json_stringify
from ttsr_ls.session.output.partial_json import JsonValue

KINDS = {"edit": "edit", "execute": "bash", "read": "read", "search": "grep", "fetch": "fetch", "delete": "delete"}
_OTHER_CONTENT = frozenset({"audio", "content", "image", "resource", "resource_link", "terminal", "text"})
_MAX_FILES = 1_000
_EDIT_KEYS = frozenset({"old_string", "new_string", "oldString", "newString", "old_text", "new_text", "edits"})


class CallInput(Struct, frozen=True):
    """The input of a call. `tool` is blank for the tool of the call; `path` distinguishes the files of one call.

    `is_whole_file` is true if the input has the content of a file. Version 1 has one kind, `edit`, for changing and
    writing files (spec W15).
    """

    tool: str
    path: str
    arguments: dict[str, JsonValue]
    is_whole_file: bool = False

    def digest(self) -> bytes:
        """Returns a digest of the arguments, by which a repeated input is recognised."""
        try:
            return blake2b(json_stringify(self.arguments).encode("utf-8", "surrogatepass")).digest()
        except RecursionError:
            return b""

    def tool_of(self, call_tool: str) -> str:
        """Returns the tool of this input in a call of `call_tool`; blank if neither names one."""
        tool = self.tool or call_tool or ("edit" if self.path else "")
        return "write" if self.is_whole_file and tool == "edit" else tool


def call_inputs_of(update: JsonObject) -> list[CallInput]:
    """Returns the raw input of a call; without one, the files of its diffs; without those, its title as a command."""
    raw = get_object(update, "rawInput")
    if raw:
        return [CallInput("", "", raw, is_whole_file=_is_whole_file(raw))]
    inputs = [each for item in get_objects(update, "content") for each in call_inputs_of_diff(item)]
    if inputs:
        return inputs[:_MAX_FILES]
    if get_text(update, "kind") == "execute" and get_text(update, "title"):
        return [CallInput("", "", {"command": get_text(update, "title")})]
    return []


def call_inputs_of_diff(item: JsonObject) -> Iterator[CallInput]:
    """The files of a diff; nothing for other content."""
    kind = expect_text(item, "type")
    if kind != "diff":
        if kind not in _OTHER_CONTENT:
            note_unknown_kind("content", kind)
        return
    if "changes" not in item:  # Version 1.
        path, text = expect_text(item, "path"), expect_text(item, "newText")
        if old := get_text(item, "oldText"):
            yield CallInput("", path, {"path": path, "old_string": old, "new_string": text})
        else:  # A new file.
            yield CallInput("", path, {"path": path, "content": text}, is_whole_file=True)
        return
    patch = get_object(item, "patch")
    sections = added_text_by_file(get_text(patch, "text")) if get_text(patch, "format") == "git_patch" else []
    added: dict[str, str] = {}
    for path, text in sections:
        added[path] = f"{added[path]}\n{text}" if path in added else text
    for change in get_objects(item, "changes"):
        path = expect_text(change, "path")
        yield _changed(get_text(change, "operation"), path, added.pop(path, None))
    # A patch may also add text to files that no change names.
    for path, text in added.items():
        if text:
            yield _changed("modify", path, text)


def _is_whole_file(raw: JsonObject) -> bool:
    """Returns whether an input has the content of a file, not a change of it."""
    return isinstance(raw.get("content"), str) and _EDIT_KEYS.isdisjoint(raw)


def _changed(operation: str, path: str, added: str | None) -> CallInput:
    arguments: dict[str, JsonValue] = {"path": path}
    match operation:
        case "delete":
            return CallInput("delete", path, arguments)
        case "add":
            return CallInput("write", path, arguments if added is None else {**arguments, "content": added})
        case _:
            return CallInput("edit", path, arguments if added is None else {**arguments, "new_string": added})


def text_of_block(value: JsonObject, key: str) -> str:
    """The text of the content block under `key`; blank for other blocks, such as images."""
    block = expect_object(value, key)
    is_text = expect_text(block, "type") == "text"
    return expect_text(block, "text") if is_text else get_text(block, "text")


def permission_subject(params: JsonObject) -> JsonObject:
    """Returns the call for which permission is requested, as an update of the call; empty if the request names none."""
    subject = get_object(params, "subject")
    match get_text(subject, "type"):
        case "tool_call":
            return get_object(subject, "toolCall")
        case "command":
            command = get_text(subject, "command")
            call = get_text(subject, "toolCallId") or get_text(subject, "terminalId")
            if not call:  # Without an id, requests are distinguished by their commands.
                call = f"command-{blake2b(command.encode('utf-8', 'surrogatepass'), digest_size=8).hexdigest()}"
            return {"toolCallId": call, "name": "bash", "rawInput": {"command": command}}
        case _:
            return get_object(params, "toolCall")
