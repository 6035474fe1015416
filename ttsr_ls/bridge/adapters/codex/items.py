"""Codex's items as tool calls: shell commands, patches, and calls of MCP and other tools."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.bridge.wire.codex_names import mcp_tool_name
from ttsr_ls.bridge.wire.fields import expect_object, expect_text, get_content_text, get_object, get_objects, get_text
from ttsr_ls.bridge.wire.json_lines import JsonObject
from ttsr_ls.bridge.wire.malformed import note_unknown_kind
from ttsr_ls.session.history.turn_events import CallDone, CallRefused
from ttsr_ls.session.output.partial_json import JsonValue

_MCP = frozenset({"mcp_tool_call", "mcpToolCall"})
_CHANGES = frozenset({"add", "delete", "update"})
USAGE_KEYS = {
    "prompt": "input_tokens",
    "output": "output_tokens",
    "read": "cached_input_tokens",
    "written": "cache_write_input_tokens",
}
"""The names of the counts of tokens, in `exec` and in rollouts."""


class CodexCall(Struct, frozen=True):
    """A tool call of an item. A patch of several files is a call for each file; only the first has its id."""

    tool: str
    call: str
    arguments: dict[str, JsonValue]


def calls_of_item(item: JsonObject) -> Iterator[CodexCall]:
    """The tool calls of an item; none for prose."""
    identity = get_text(item, "id")
    match get_text(item, "type"):
        case "command_execution" | "commandExecution":
            yield CodexCall("bash", identity, {"command": _command(item)})
        case "file_change" | "fileChange":
            changed = (file for change in get_objects(item, "changes") for file in _files_of_change(change))
            for number, (tool, arguments) in enumerate(changed):
                yield CodexCall(tool, identity if not number else f"{identity}#{number}", arguments)
        case "mcp_tool_call" | "mcpToolCall":
            name = mcp_tool_name(get_text(item, "server"), get_text(item, "tool"))
            yield CodexCall(name, identity, get_object(item, "arguments"))
        case "dynamicToolCall":
            yield CodexCall(expect_text(item, "tool"), identity, get_object(item, "arguments"))
        case "collab_tool_call" | "collabAgentToolCall":
            yield CodexCall(expect_text(item, "tool"), identity, {"prompt": get_text(item, "prompt")})
        case "web_search" | "webSearch":
            yield CodexCall("web_search", identity, {"query": get_text(item, "query")})
        case _:
            return


def state_of_item(item: JsonObject, output: str) -> CallDone | CallRefused:
    """The result of a completed item. `output` is the field that has the output of a command."""
    if get_text(item, "type") in _MCP:
        # A call that the server failed has a result; one that never ran has an error.
        result = get_text(get_object(item, "error"), "message") or get_content_text(
            get_object(item, "result"), "content"
        )
    else:
        result = get_text(item, output)
    return CallRefused(result) if get_text(item, "status") in ("failed", "declined") else CallDone(result)


def _command(item: JsonObject) -> str:
    found = item.get("command")
    return " ".join(map(str, found)) if isinstance(found, list) else get_text(item, "command")


def _files_of_change(change: JsonObject) -> Iterator[tuple[str, dict[str, JsonValue]]]:
    """The tool and the arguments for a file of a patch; for one that moves, its old path comes first."""
    kind, moved = _change_kind(change)
    path = expect_text(change, "path")
    # Only the app server has diffs, and always.
    diff = get_text(change, "diff") if isinstance(change.get("kind"), str) else expect_text(change, "diff")
    if kind == "add" and diff:
        yield "write", {"path": path, "content": diff}
        return
    if moved and moved != path:
        yield "edit", {"path": path}
    addition = "\n".join(line[1:] for line in diff.split("\n") if line.startswith("+") and not line.startswith("+++"))
    arguments: dict[str, JsonValue] = {"path": moved or path}
    if diff and kind != "delete":
        arguments["new_string"] = addition
    yield "edit", arguments


def _change_kind(change: JsonObject) -> tuple[str, str]:
    """The kind of a change, and the new path of a file that moves.

    `exec --json` has a string. The app server has an object, which also names the new path.
    """
    found, moved = change.get("kind"), ""
    if isinstance(found, str):
        kind = found
    else:
        described = expect_object(change, "kind")
        kind, moved = expect_text(described, "type"), get_text(described, "move_path")
    if kind and kind not in _CHANGES:
        note_unknown_kind("change", kind)
    return kind, moved
