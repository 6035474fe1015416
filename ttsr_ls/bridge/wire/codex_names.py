"""The names of Codex's MCP tools, as its hooks have them: `mcp__SERVER__TOOL` (spec W12)."""

from __future__ import annotations

import re

_PREFIX = "mcp__"
_OWN_SERVER = "codex"
"""The server under which Codex reports its own tools about MCP."""
_NOT_IN_NAMES = re.compile("[^A-Za-z0-9_]")


def mcp_tool_name(server: str, tool: str) -> str:
    """Returns the name of a tool that an item names by its server."""
    return tool if server == _OWN_SERVER else _NOT_IN_NAMES.sub("_", f"{_PREFIX}{server}__{tool}")


def tool_name_in(namespace: str, tool: str) -> str:
    """Returns the name of a tool that is called within a namespace of the Responses API; of most, the tool's own."""
    return f"{namespace}__{tool}" if namespace.startswith(_PREFIX) else tool
