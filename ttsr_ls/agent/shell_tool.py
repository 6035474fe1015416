"""The tool that runs commands: only those that a user allowed, with limits on their time and output.

A command has all permissions of its user; it cannot be confined here, so permission is requested for each.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Mapping
from io import FileIO
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from ttsr_ls.agent.secrets import NO_SECRETS, Secrets
from ttsr_ls.agent.tool import AgentTool, Permission, ToolError

MAX_OUTPUT = 30_000
"""The most bytes of a command's output that are kept: half from its beginning and half from its end."""

MAX_SECONDS = 600

_CHUNK = 16 * 1024
_GRACE = 1.0
"""How long background processes of the command may keep its output open, in seconds."""


class BashArguments(Struct, frozen=True, forbid_unknown_fields=True):
    """The command to run, and its time limit."""

    command: Annotated[str, Meta(min_length=1, description="The command, run with bash in the working folder")]
    timeout: Annotated[float, Meta(gt=0, le=MAX_SECONDS, description="After how many seconds it is killed")] = 120


def shell_tool(
    folder: Path, permission: Permission, environment: Mapping[str, str], secrets: Secrets = NO_SECRETS
) -> AgentTool[Any]:
    """Returns the tool for commands in a folder; `environment` should contain no secrets.

    Where output is left out, no part of one of the `secrets` remains, which could not be masked any more.
    """

    async def bash(arguments: BashArguments) -> str:
        if "\0" in arguments.command:
            raise ToolError("A command cannot hold the character U+0000.")
        if not await permission(f"Run {arguments.command!r}?"):
            raise ToolError("The user did not allow this command.")
        return await _run(arguments, folder, environment, secrets)

    return AgentTool("bash", "Runs a command and gives what it writes. The user is asked first.", BashArguments, bash)


async def _run(arguments: BashArguments, folder: Path, environment: Mapping[str, str], secrets: Secrets) -> str:
    # With a pipe of asyncio, waiting for the process would include its background processes.
    source, sink = os.pipe()
    with os.fdopen(source, "rb", buffering=0) as output:
        return await _run_into(sink, output, arguments, folder, environment, _BoundedOutput(secrets))


async def _run_into(
    sink: int,
    output: FileIO,
    arguments: BashArguments,
    folder: Path,
    environment: Mapping[str, str],
    kept: _BoundedOutput,
) -> str:
    try:
        process = await asyncio.create_subprocess_exec(
            *("bash", "-c", arguments.command),
            cwd=folder,
            env=dict(environment),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=sink,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise ToolError(f"bash cannot be run: {error.strerror}.") from error
    finally:
        os.close(sink)
    reading = asyncio.create_task(kept.read(output))
    try:
        try:
            async with asyncio.timeout(arguments.timeout):
                status = await process.wait()
        except TimeoutError:
            _kill(process.pid)
            raise ToolError(f"{await _text(kept, reading)}[Killed after {arguments.timeout:g} seconds.]") from None
        text = await _text(kept, reading)
    finally:
        _kill(process.pid)  # Background processes, or all of the command if the answer is interrupted.
        reading.cancel()
        await asyncio.wait([reading])
        await process.wait()
    if status:
        raise ToolError(f"{text}[Exit status {status}.]")
    return text or "[It wrote nothing.]"


async def _text(kept: _BoundedOutput, reading: asyncio.Task[None]) -> str:
    await asyncio.wait([reading], timeout=_GRACE)
    text = kept.text()
    return text if not text or text.endswith("\n") else f"{text}\n"


class _BoundedOutput:
    """The beginning and the end of an output."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets
        self._head = bytearray()
        self._tail = bytearray()
        self._left_out = 0

    async def read(self, output: FileIO) -> None:
        """Reads a pipe to its end."""
        stream = asyncio.StreamReader()
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(stream), output
        )
        try:
            while data := await stream.read(_CHUNK):
                self._keep(data)
        finally:
            transport.close()

    def _keep(self, data: bytes) -> None:
        room = MAX_OUTPUT // 2 - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        over = len(self._tail) - MAX_OUTPUT // 2
        if over > 0:
            del self._tail[:over]
            self._left_out += over

    def text(self) -> str:
        """Returns the output that was kept, with a note in place of the rest."""
        if not self._left_out:
            return (self._head + self._tail).decode("utf-8", "replace")
        head = self._secrets.without_cut_end(self._head.decode("utf-8", "ignore"))
        tail = self._secrets.without_cut_start(self._tail.decode("utf-8", "ignore"))
        return f"{head}\n[{self._left_out} bytes are left out.]\n{tail}"


def _kill(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
