"""The tools of many agents: their canonical names, and the texts and paths that they write."""

from __future__ import annotations

import pytest

from ttsr_ls.session.history.turn_events import Extent
from ttsr_ls.session.output.common_tools import COMMON_TOOLS
from ttsr_ls.session.output.partial_json import JsonValue
from ttsr_ls.session.output.tool_vocabulary import written_text


@pytest.mark.parametrize(
    ("tool", "name", "arguments", "text", "paths"),
    [
        ("write", "write", {"path": "a", "content": "x"}, "x", ("a",)),
        ("write_file", "write", {"file_path": "a", "content": "x"}, "x", ("a",)),
        ("create_file", "write", {"filePath": "a", "file_text": "x"}, "x", ("a",)),
        ("Write", "write", {"file_path": "a", "content": "x"}, "x", ("a",)),
        ("edit", "edit", {"path": "a", "old_string": "o", "new_string": "x"}, "x", ("a",)),
        ("edit", "edit", {"filePath": "a", "oldString": "o", "newString": "x"}, "x", ("a",)),
        ("replace", "edit", {"file_path": "a", "new_string": "x"}, "x", ("a",)),
        ("edit", "edit", {"path": "a", "edits": [{"newText": "x"}, {"newText": "y"}, 1]}, "x\ny", ("a",)),
        ("str_replace_based_edit_tool", "edit", {"path": "a", "command": "create", "file_text": "x"}, "x", ("a",)),
        ("str_replace_based_edit_tool", "edit", {"path": "a", "insert_text": "x", "insert_line": 1}, "x", ("a",)),
        ("edit", "edit", {"path": "a", "other_path": "b"}, None, ("a",)),
        ("NotebookEdit", "edit", {"notebook_path": "a", "new_source": "x", "edit_mode": "delete"}, None, ("a",)),
        ("create", "write", {"path": "a", "file_text": "x"}, "x", ("a",)),
        ("Write", "write", {"path": "a", "file_text": "x"}, "x", ("a",)),
        ("StrReplace", "edit", {"path": "a", "old_string": "o", "new_string": "x"}, "x", ("a",)),
        ("insert_edit_into_file", "edit", {"filePath": "a", "code": "x"}, "x", ("a",)),
        ("edit_notebook_file", "edit", {"filePath": "a", "editType": "edit", "newCode": ["x", "y"]}, "x\ny", ("a",)),
        ("edit_notebook_file", "edit", {"filePath": "a", "editType": "delete", "newCode": "x"}, None, ("a",)),
        ("send_to_terminal", "bash", {"id": "1", "command": "ls"}, None, ()),
        ("shell", "bash", {"command": "ls", "path": "a"}, None, ()),
        ("read_file", "read", {"path": "a"}, None, ("a",)),
        ("my_tool", "my_tool", {"in_path": "a", "text": "x"}, None, ("a",)),
        # A scope cannot name a tool with other characters.
        ("mcp_notes_add.Line", "mcp_notes_add_line", {"text": "x"}, None, ()),
    ],
)
def test_written_text_and_paths_of_calls(
    tool: str, name: str, arguments: dict[str, JsonValue], text: str | None, paths: tuple[str, ...]
) -> None:
    writer = COMMON_TOOLS.writer(tool)
    assert COMMON_TOOLS.name(tool) == name
    assert (None if writer is None else written_text(writer, arguments)) == text
    assert COMMON_TOOLS.raw_paths(tool, arguments, None) == paths


def test_the_extent_of_writing_tools() -> None:
    extents = {tool: writer.extent for tool, writer in COMMON_TOOLS.writers.items()}
    whole = {tool for tool, extent in extents.items() if extent is Extent.WHOLE}
    assert whole == {"Write", "write", "write_file", "create", "create_file"}
