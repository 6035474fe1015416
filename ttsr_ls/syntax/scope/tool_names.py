"""The tools of reference agents, as scope tokens name them (spec S6)."""

from __future__ import annotations

import re

KNOWN_TOOLS = frozenset((
    "read", "bash", "edit", "ast_grep", "ast_edit", "ask", "debug", "ida", "eval", "github", "glob", "grep", "find",
    "lsp", "checkpoint", "rewind", "context_notes", "new_context", "security_scan", "task", "wait", "todo",
    "web_search", "write", "memory_edit", "retain", "recall", "reflect", "learn", "manage_skill", "yield", "goal",
    "think", "hub", "advise", "browser", "computer", "generate_image", "tts",
))  # fmt: skip

MCP_PREFIX = "mcp__"
"""The prefix of the names of MCP servers' tools."""
_NOT_IN_MCP_NAMES = re.compile("[^a-z0-9]+")

_FAMILIES = (MCP_PREFIX, "vibe_")
"""The prefixes of names that are created at run time."""

_WIRE_NAMES = frozenset(("apply_patch",))
"""Names that calls of another tool may have. A scope must then use such a name (spec T1)."""

RENAMED_TOOLS = {"search": "grep"}

_BY_OTHER_NAMES = {
    "edit": (
        "multiedit multi_edit notebookedit notebook_edit edit_notebook edit_file str_replace str_replace_editor "
        "str_replace_based_edit_tool search_replace replace_in_file replace update apply_diff applypatch patch "
        "insert_edit_into_file text_editor replace_string_in_file multi_replace_string_in_file edit_notebook_file "
        "strreplace"
    ),
    "write": "create create_file create_new_file write_file write_to_file save_file new_file",
    "bash": (
        "shell terminal command exec exec_command local_shell execute_command run_command run_terminal_cmd "
        "run_terminal_command run_in_terminal run_shell_command run_bash execute_bash powershell "
        "send_to_terminal"
    ),
    "read": "read_file read_files read_many_files view view_file open_file webfetch web_fetch fetch_webpage list_dir",
    "grep": "grep_search search_files search_file_content codebase_search ripgrep rg",
    "glob": "file_search glob_file_search list_files find_files",
    "task": "runsubagent subagent sub_agent subagents agent agents dispatch_agent spawn_agent launch_agent new_task",
    "todo": "todowrite todo_write todoread todo_read todos update_plan todo_list",
    "web_search": "websearch google_web_search search_web",
    "ask": "askuserquestion ask_user ask_user_question ask_followup_question",
    "eval": "kernel python ipython repl run_code execute_code code_interpreter",
}
OTHER_AGENTS_TOOLS = {other: name for name, others in _BY_OTHER_NAMES.items() for other in others.split()}
"""The names of tools in other agents, each with the tool's name in rules."""


def is_known_tool(name: str) -> bool:
    """Returns whether an agent without extensions has a tool with this lower-case name."""
    return name in KNOWN_TOOLS or name in _WIRE_NAMES or name.startswith(_FAMILIES)


def actual_mcp_name(name: str) -> str | None:
    """Returns the actual name of an MCP tool that is written with two underscores between server and tool.

    None if the written name is possible: oh-my-pi writes one underscore for every run of other characters, and omits
    the server's name if the tool's name begins with it.
    """
    if name.startswith(MCP_PREFIX[:-1]) and not name.startswith(MCP_PREFIX):
        return actual_mcp_name(MCP_PREFIX + name[len(MCP_PREFIX) - 1 :]) or MCP_PREFIX + name[len(MCP_PREFIX) - 1 :]
    server, _, tool = name.removeprefix(MCP_PREFIX).partition("__")
    if not name.startswith(MCP_PREFIX):
        return None
    parts = [part for item in (server, tool) if (part := _NOT_IN_MCP_NAMES.sub("_", item).strip("_"))]
    if len(parts) == 2 and parts[1].startswith(f"{parts[0]}_"):
        parts = parts[1:]
    actual = MCP_PREFIX + "_".join(parts)
    return actual if parts and actual != name else None


DECODED_TOOLS = frozenset(("edit", "write", "multiedit", "notebookedit", "apply_patch"))
"""Tools whose calls are matched by what they write, and not by the JSON of their arguments."""

PATHLESS_TOOLS = frozenset(("ask", "bash", "checkpoint", "eval", "rewind", "think", "todo", "web_search"))
"""Tools none of whose arguments is a path, so that no glob ever matches a call (spec G4, T1)."""
