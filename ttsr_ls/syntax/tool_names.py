"""The tools that a reference agent can call, as scope tokens name them (semantics.md S6)."""

from __future__ import annotations

KNOWN_TOOLS = frozenset((
    "read", "bash", "edit", "ast_grep", "ast_edit", "ask", "debug", "ida", "eval", "github", "glob", "grep", "find",
    "lsp", "checkpoint", "rewind", "context_notes", "new_context", "security_scan", "task", "wait", "todo",
    "web_search", "write", "memory_edit", "retain", "recall", "reflect", "learn", "manage_skill", "yield", "goal",
    "think",
))  # fmt: skip

_FAMILIES = ("mcp__", "vibe_")
"""Names that are made at run time begin so."""

_WIRE_NAMES = frozenset(("apply_patch",))
"""Names that a call of another tool may bear, which a scope then has to name (semantics.md 3.1)."""

RENAMED_TOOLS = {"search": "grep"}

OTHER_AGENTS_TOOLS = {
    "multiedit": "edit", "notebookedit": "edit", "str_replace": "edit", "replace": "edit",
    "update": "edit", "create": "write", "write_file": "write", "shell": "bash", "terminal": "bash", "command": "bash",
    "exec": "bash", "exec_command": "bash", "local_shell": "bash", "edit_file": "edit", "search_replace": "edit",
    "replace_in_file": "edit", "apply_diff": "edit", "write_to_file": "write", "create_file": "write",
    "execute_command": "bash", "run_command": "bash", "run_terminal_cmd": "bash", "run_shell_command": "bash",
    "read_file": "read",
}  # fmt: skip
"""What other agents call a tool, and the name under which rules know it."""


def is_known_tool(name: str) -> bool:
    """Whether an agent can call a tool of this lower-case name without being extended by its user."""
    return name in KNOWN_TOOLS or name in _WIRE_NAMES or name.startswith(_FAMILIES)


PATHLESS_TOOLS = frozenset(("ask", "bash", "checkpoint", "eval", "rewind", "think", "todo", "web_search"))
"""Tools none of whose arguments is a path, so that no glob ever matches a call (semantics.md G4, 3.1)."""
