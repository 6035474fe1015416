"""What Claude Code's tool calls mean to rules: canonical names, paths, and the text to match (semantics.md 3.2).

A call that writes to a file is matched by what it would write, decoded. Any other is matched by its JSON argument text,
as the reference does (M4, M7), so that a rule means the same with every agent.
"""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.bridge.partial_json import JsonValue
from ttsr_ls.engine.turn_events import Extent

_CANONICAL = {
    "Write": "write",
    "Edit": "edit",
    "MultiEdit": "edit",
    "NotebookEdit": "edit",
    "Bash": "bash",
    "Read": "read",
    "Grep": "grep",
    "Glob": "glob",
    "Agent": "task",
    "Task": "task",
    "TodoWrite": "todo",
    "WebSearch": "web_search",
    "AskUserQuestion": "ask",
    "LSP": "lsp",
}

_PATHLESS = frozenset({"Bash"})
"""Tools whose calls have no paths, so that no glob can keep a rule about commands from them."""


class Writer(Struct, frozen=True):
    """A tool that writes to a file: the argument with the path, the one with the text, and how much of a file it is."""

    path: str
    text: str
    extent: Extent


WRITERS = {
    "Write": Writer("file_path", "content", Extent.WHOLE),
    "Edit": Writer("file_path", "new_string", Extent.PIECE),
    "MultiEdit": Writer("file_path", "edits", Extent.PIECE),
    "NotebookEdit": Writer("notebook_path", "new_source", Extent.PIECE),
}


def canonical_name(tool: str) -> str:
    """The name by which scopes call the tool; one that the reference agent does not have keeps its own, lower-cased."""
    return _CANONICAL.get(tool, tool.lower())


def written_text(tool: str, arguments: dict[str, JsonValue]) -> str | None:
    """What a call writes, as far as its arguments are there; None where that is nothing, or not yet known.

    The new strings of several edits are joined by line ends.
    """
    writer = WRITERS.get(tool)
    if writer is None or (tool == "NotebookEdit" and arguments.get("edit_mode") == "delete"):
        return None
    value = arguments.get(writer.text)
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        new = [edit.get("new_string") for edit in value if isinstance(edit, dict)]
        strings = [text for text in new if isinstance(text, str)]
        return "\n".join(strings) if strings else None
    return None


def raw_paths(tool: str, arguments: dict[str, JsonValue], unfinished: str | None) -> tuple[str, ...]:
    """The paths of a call as the agent wrote them.

    That of a writing tool; else every top-level argument whose key ends with `path`, or the items of one that ends with
    `paths` (G4). The value under the key `unfinished` does not count: a part of a path is another path.
    """
    if tool in _PATHLESS:
        return ()
    writer = WRITERS.get(tool)
    found: list[str] = []
    for key, value in arguments.items():
        if key == unfinished:
            continue
        if writer is not None and key != writer.path:
            continue
        if isinstance(value, str) and key.lower().endswith("path"):
            found.append(value)
        elif isinstance(value, list) and key.lower().endswith("paths"):
            found += [item for item in value if isinstance(item, str)]
    return tuple(found)
