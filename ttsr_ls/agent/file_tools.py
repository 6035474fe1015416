"""The tools that read, write and edit files of the working folder."""

from __future__ import annotations

from io import StringIO
from typing import Annotated, Any

from msgspec import Meta, Struct

from ttsr_ls.agent.tool import AgentTool, Permission, ToolError
from ttsr_ls.agent.workspace import AgentWorkspace

MAX_LINES = 2_000
"""The most lines of a file that are returned at once."""

_Path = Annotated[str, Meta(description="The file, relative to the working folder")]


class ReadArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """The lines to read of a file."""

    path: _Path
    offset: Annotated[int, Meta(ge=1, description="The first line to read, from 1")] = 1
    limit: Annotated[int, Meta(ge=1, le=MAX_LINES, description="How many lines to read")] = MAX_LINES


class WriteArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole text to write to a file."""

    path: _Path
    content: Annotated[str, Meta(description="All of the file")]


class EditArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """The text to replace in a file."""

    path: _Path
    old_string: Annotated[str, Meta(min_length=1, description="What is there now, exactly; it must be there once")]
    new_string: Annotated[str, Meta(description="What is to stand in its place")]


def file_tools(workspace: AgentWorkspace, permission: Permission) -> tuple[AgentTool[Any], ...]:
    """Returns the tools for the files of a folder. Writing some files needs `permission`
    (`guarded.confirmation_reason`).
    """

    async def put(name: str, data: bytes) -> None:
        reason = workspace.confirmation_reason(name)
        if reason is not None and not await permission(f"Write {name!r}? {reason}"):
            raise ToolError(f"The user did not allow writing {name}. {reason}")
        workspace.write(name, data)

    async def read(arguments: ReadArguments) -> str:
        text = workspace.read(arguments.path).decode("utf-8", "replace")
        lines = list(StringIO(text, newline=""))  # Unlike `splitlines`, splits only where editors do.
        first, last = arguments.offset - 1, arguments.offset - 1 + arguments.limit
        part = "".join(lines[first:last])
        if last >= len(lines):
            return part if part else "[There is nothing here.]"
        return f"{part}[{len(lines) - last} more lines: read on with offset {last + 1}.]"

    async def write(arguments: WriteArguments) -> str:
        await put(arguments.path, arguments.content.encode())
        return f"Wrote {arguments.path}."

    async def edit(arguments: EditArguments) -> str:
        try:
            text = workspace.read(arguments.path).decode()
        except UnicodeDecodeError as error:
            raise ToolError(f"{arguments.path} is not UTF-8 text.") from error
        count = text.count(arguments.old_string)
        if count != 1:
            problem = "is not there" if count == 0 else f"is there {count} times: give more of what is around it"
            raise ToolError(f"old_string {problem}.")
        await put(arguments.path, text.replace(arguments.old_string, arguments.new_string).encode())
        return f"Edited {arguments.path}."

    return (
        AgentTool("read", "Reads a text file of the working folder.", ReadArguments, read),
        AgentTool("write", "Writes a text file, with the folders that it needs.", WriteArguments, write),
        AgentTool("edit", "Replaces one place in a text file.", EditArguments, edit),
    )
