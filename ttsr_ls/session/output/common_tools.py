"""Common tool names on providers' wires, and the files and texts that these tools write (spec T1, T3).

A program that embeds a session chooses the names of its tools. This table has those of known agents, and of the
providers' own tools; any other tool is matched by its JSON argument text under its own name.
"""

from __future__ import annotations

from types import MappingProxyType

from ttsr_ls.session.history.turn_events import Extent
from ttsr_ls.session.output.claude_tools import CLAUDE_TOOLS
from ttsr_ls.session.output.tool_vocabulary import Vocabulary, Writer

_PATH = ("path", "file_path", "filePath", "notebook_path")
_WHOLE = Writer(_PATH, ("content", "contents", "file_text"), Extent.WHOLE)
_PIECES = ("new_string", "newString", "new_text", "newText", "new_str")
_REPLACED = ("old_string", "oldString", "old_text", "oldText", "old_str")
_PIECE = Writer(_PATH, (*_PIECES, "insert_text", "file_text", "edits"), Extent.PIECE, _PIECES, replaced=_REPLACED)
_INSERTED = Writer(_PATH, ("code",), Extent.PIECE)
_CELL_EDIT = Writer(_PATH, ("newCode",), Extent.PIECE, (), unless=(("editType", "delete"),))

_ALIASES = {
    "write": ("write_file", "create_file", "create"),
    "edit": (
        "StrReplace",
        "multiedit",
        "edit_file",
        "replace",
        "replace_string_in_file",
        "str_replace",
        "str_replace_editor",
        "str_replace_based_edit_tool",
    ),
    "bash": (
        "shell",
        "Shell",
        "local_shell",
        "exec_command",
        "run_shell_command",
        "run_in_terminal",
        "send_to_terminal",
    ),
    "read": ("read_file",),
}
_VSCODE_EDITS = {"insert_edit_into_file": _INSERTED, "edit_notebook_file": _CELL_EDIT}
_NAMES = {alias: name for name, aliases in _ALIASES.items() for alias in (name, *aliases)}

COMMON_TOOLS = Vocabulary(
    canonical=MappingProxyType({**CLAUDE_TOOLS.canonical, **_NAMES, **dict.fromkeys(_VSCODE_EDITS, "edit")}),
    pathless=CLAUDE_TOOLS.pathless | {"bash", *_ALIASES["bash"]},
    writers=MappingProxyType(
        {
            **CLAUDE_TOOLS.writers,
            # Hooks of Copilot CLI name its tools as Claude Code does, with other arguments.
            **dict.fromkeys(("Write", "write", *_ALIASES["write"]), _WHOLE),
            **dict.fromkeys(("Edit", "edit", *_ALIASES["edit"]), _PIECE),
            **_VSCODE_EDITS,
        }
    ),
)
