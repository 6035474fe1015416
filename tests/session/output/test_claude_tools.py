"""Claude Code's tools: their canonical names, and the texts and paths that they write (spec T3)."""

from __future__ import annotations

import pytest

from ttsr_ls.session.output.claude_tools import CLAUDE_TOOLS
from ttsr_ls.session.output.partial_json import JsonValue
from ttsr_ls.session.output.tool_vocabulary import written_text

FILE = {"file_path": "/p/a.ts"}


@pytest.mark.parametrize(
    ("tool", "name"),
    [
        ("Write", "write"),
        ("Edit", "edit"),
        ("MultiEdit", "edit"),
        ("NotebookEdit", "edit"),
        ("Bash", "bash"),
        ("WebSearch", "web_search"),
        ("mcp__Jira__search", "mcp__jira__search"),
        ("SomethingNew", "somethingnew"),
        ("", ""),
    ],
)
def test_canonical_names_of_tools(tool: str, name: str) -> None:
    assert CLAUDE_TOOLS.name(tool) == name


@pytest.mark.parametrize(
    ("tool", "arguments", "text"),
    [
        ("Write", FILE, None),
        ("Write", FILE | {"content": ""}, ""),
        ("Write", FILE | {"content": "let x"}, "let x"),
        ("Write", FILE | {"content": 7}, None),
        ("Edit", FILE | {"old_string": "old"}, None),
        ("Edit", FILE | {"old_string": "old", "new_string": "new"}, "new"),
        ("MultiEdit", FILE | {"edits": []}, None),
        ("MultiEdit", FILE | {"edits": [{"old_string": "a"}]}, None),
        ("MultiEdit", FILE | {"edits": [{"new_string": "a"}, {"new_string": 1}, "x", {"new_string": "b"}]}, "a\nb"),
        ("NotebookEdit", {"notebook_path": "/n.ipynb", "new_source": "x = 1"}, "x = 1"),
        ("NotebookEdit", {"notebook_path": "/n.ipynb", "edit_mode": "delete", "new_source": "x = 1"}, None),
        ("Bash", {"command": "ls"}, None),
    ],
)
def test_written_text_of_calls(tool: str, arguments: dict[str, JsonValue], text: str | None) -> None:
    writer = CLAUDE_TOOLS.writer(tool)
    assert (None if writer is None else written_text(writer, arguments)) == text


@pytest.mark.parametrize(
    ("tool", "arguments", "unfinished", "paths"),
    [
        ("Write", FILE, None, ("/p/a.ts",)),
        ("Write", FILE, "file_path", ()),
        ("Write", FILE | {"other_path": "/no"}, "content", ("/p/a.ts",)),
        ("NotebookEdit", {"notebook_path": "/n.ipynb"}, None, ("/n.ipynb",)),
        ("Read", FILE, None, ("/p/a.ts",)),
        ("Grep", {"pattern": "x", "path": "src"}, None, ("src",)),
        (
            "Custom",
            {"globPaths": ["a", 1, "b"], "xPATH": "c", "file": "d", "paths": "e", "path": ["f"]},
            None,
            ("a", "b", "c"),
        ),
        ("Bash", {"command": "ls", "path": "/p"}, None, ()),
    ],
)
def test_paths_of_calls(
    tool: str, arguments: dict[str, JsonValue], unfinished: str | None, paths: tuple[str, ...]
) -> None:
    assert CLAUDE_TOOLS.raw_paths(tool, arguments, unfinished) == paths
