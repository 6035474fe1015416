"""Claude Code's tools with their canonical names, and the files and texts that they write (spec T3)."""

from __future__ import annotations

from ttsr_ls.session.history.turn_events import Extent
from ttsr_ls.session.output.tool_vocabulary import Vocabulary, Writer

CLAUDE_TOOLS = Vocabulary(
    canonical={
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
    },
    pathless=frozenset({"Bash"}),
    writers={
        "Write": Writer(("file_path",), ("content",), Extent.WHOLE),
        "Edit": Writer(("file_path",), ("new_string",), Extent.PIECE),
        "MultiEdit": Writer(("file_path",), ("edits",), Extent.PIECE),
        "NotebookEdit": Writer(("notebook_path",), ("new_source",), Extent.PIECE, unless=(("edit_mode", "delete"),)),
    },
)
