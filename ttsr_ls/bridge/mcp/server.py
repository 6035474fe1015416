"""Offers the task tools on standard input and output by the Model Context Protocol.

Only this module and `transport` import the `mcp` package, which takes most of a second. Other modules import this one
only when they are about to serve.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, NoReturn

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from ttsr_ls.bridge.mcp.stored_tasks import StoredTasks
from ttsr_ls.bridge.mcp.transport import stdio_transport
from ttsr_ls.features.tasks.tools import TASK_TOOLS
from ttsr_ls.store.log.errors import LogWriteError

NAME = "ttsr-ls"
_INSTRUCTIONS = (
    "A list of tasks for work that takes several steps. It is kept when the session ends: TaskList shows what is left."
)


def serve_task_list(tasks: StoredTasks, version: str, stop: Callable[[LogWriteError], NoReturn]) -> None:
    """Serves the tools of a task list over MCP, on standard input and output, until the client closes the input.

    `stop` ends the process if a failing log must stop it (`LogFailurePolicy.STOP`). Returning would not suffice: a
    thread waits for input, which the client may never close."""
    asyncio.run(_serve(make_server(tasks, version, stop)))


async def _serve(server: Server[Any]) -> None:
    async with stdio_transport() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def make_server(tasks: StoredTasks, version: str, stop: Callable[[LogWriteError], NoReturn]) -> Server[Any]:
    """Creates the server without connecting it."""
    offered = types.ListToolsResult(
        tools=[
            types.Tool(
                name=tool.name,
                description=tool.description,
                input_schema=dict(tool.schema),
                annotations=types.ToolAnnotations(read_only_hint=not tool.changes, open_world_hint=False),
            )
            for tool in TASK_TOOLS
        ]
    )
    names = {tool.name for tool in TASK_TOOLS}

    async def list_tools(_: object, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return offered

    async def call_tool(_: object, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name not in names:
            raise MCPError(types.INVALID_PARAMS, f"there is no tool {params.name[:100]!r}")
        try:
            reply = tasks.call(params.name, params.arguments or {})
        except LogWriteError as error:
            stop(error)
        return types.CallToolResult(content=[types.TextContent(text=reply.text)], is_error=reply.is_error)

    return Server(NAME, version=version, instructions=_INSTRUCTIONS, on_list_tools=list_tools, on_call_tool=call_tool)
