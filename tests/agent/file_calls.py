"""Calls of the file tools without permission for guarded files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ttsr_ls.agent.file_tools import file_tools
from ttsr_ls.agent.tool import ToolOutcome
from ttsr_ls.agent.workspace import AgentWorkspace


async def refuse(question: str) -> bool:
    return False


async def call(folder: Path, tool: str, **arguments: Any) -> ToolOutcome:
    tools = {tool.name: tool for tool in file_tools(AgentWorkspace(folder), refuse)}
    return await tools[tool].call(json.dumps(arguments))
