"""The tool calls that an update or a request for permission describes, in both versions of the protocol."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import blake2b

from msgspec import Struct

from ttsr_ls.bridge.adapters.acp.git_patch import added_text_by_file
from ttsr_ls.bridge.wire.codex_names import mcp_tool_name
from ttsr_ls.bridge.wire.fields import expect_object, expect_text, get_object, get_objects, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject, parse_text
from ttsr_ls.bridge.wire.malformed import note_unknown_kind
from ttsr_ls.session.output.js_json import json_stringify
from ttsr_ls.session.output.partial_json import JsonValue

KINDS = {"edit": "edit", "execute": "bash", "read": "read", "search": "grep", "fetch": "fetch", "delete": "delete"}
_OTHER_CONTENT = frozenset({"audio", "content", "image", "resource", "resource_link", "terminal", "text"})
_MAX_FILES = 1_000
_EDIT_KEYS = frozenset({"old_string", "new_string", "oldString", "newString", "old_text", "new_text", "edits"})


_UNFINISHED = ("pending", "in_progress")
_TOOL_TITLE = re.compile("([A-Za-z][A-Za-z0-9_.-]*)(?:: .*)?", re.DOTALL)
_SERVER_TITLE = re.compile(r"(\S+) \((\S+) MCP Server\)")
"""Gemini CLI's title of a call of an MCP tool, whose arguments are the text of the call until it has a result."""


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


class OpenCall:
    """A tool call that has no result yet: its tool, and the digest of each of its inputs that was read."""

    __slots__ = ("digests", "has_input", "tool")

    def __init__(self) -> None:
        self.tool = ""
        self.has_input = False
        """The agent reports the input of this call. It may be empty, also until it is complete."""
        self.digests: dict[str, bytes] = {}


def call_inputs_of(update: JsonObject) -> list[CallInput]:
    """Returns the raw input of a call; without one, the files of its diffs, or its text if that is JSON; without those,
    its title as a command.
    """
    raw = get_object(update, "rawInput")
    if raw:
        arguments = get_object(raw, "arguments") if _is_mcp_call_of_codex(update) else raw
        return [CallInput("", "", arguments, is_whole_file=_is_whole_file(arguments))]
    inputs = [each for item in get_objects(update, "content") for each in call_inputs_of_diff(item)]
    if inputs:
        return inputs[:_MAX_FILES]
    if get_text(update, "status") in _UNFINISHED and _SERVER_TITLE.fullmatch(get_text(update, "title")):
        texts = [text_of_block(item, "content") for item in get_objects(update, "content") if "content" in item]
        arguments_as_text = parse_text("".join(texts))
        return [] if arguments_as_text is None else [CallInput("", "", arguments_as_text)]
    if get_text(update, "kind") == "execute" and get_text(update, "title"):
        return [CallInput("", "", {"command": get_text(update, "title")})]
    return []


def tool_name_of(update: JsonObject) -> str:
    """Returns the name of the tool in a field for it; blank without such a field."""
    return get_text(update, "name") or get_text(get_object(get_object(update, "_meta"), "claudeCode"), "toolName")


def tool_of_call(update: JsonObject) -> str:
    """Returns the tool of a call, as far as an update names it; blank if it does not.

    In version 1, most agents name the kind of a tool, and the tool itself only in the title of a call of another kind.
    """
    if name := tool_name_of(update):
        return name
    title, kind = get_text(update, "title"), get_text(update, "kind")
    if _is_mcp_call_of_codex(update):
        raw = get_object(update, "rawInput")
        return mcp_tool_name(get_text(raw, "server"), get_text(raw, "tool"))
    if match := _SERVER_TITLE.fullmatch(title):
        return f"mcp_{match[2]}_{match[1]}"
    if kind in KINDS:
        return KINDS[kind]
    if kind and (match := _TOOL_TITLE.fullmatch(title)):
        return match[1]
    return kind if kind == "other" else ""


def _is_mcp_call_of_codex(update: JsonObject) -> bool:
    return get_object(update, "_meta").get("is_mcp_tool_call") is True and "server" in get_object(update, "rawInput")


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
