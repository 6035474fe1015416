"""`ttsr-ls mcp` as agents use it: a process of its own, called by the official client."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.command import environment, ttsr_ls
from tests.fork_server import program
from ttsr_ls.store.log.session_dirs import session_files, workspace_folder

if TYPE_CHECKING:
    from mcp import Client

INITIALIZE = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
    b'"clientInfo":{"name":"test","version":"1"}}}\n'
)


@asynccontextmanager
async def connected(folder: Path, *args: str) -> AsyncIterator[Client]:
    from mcp import Client, StdioServerParameters, stdio_client  # It takes a second, in each worker that collects this.

    words = program("mcp")
    command = StdioServerParameters(command=words[0], args=[*words[1:], *args], env=environment(), cwd=str(folder))
    async with Client(stdio_client(command)) as client:
        yield client


async def call_tool(client: Client, tool: str, **arguments: object) -> tuple[str, bool]:
    from mcp_types import TextContent

    result = await client.call_tool(tool, arguments)
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text, result.is_error


async def test_an_agent_is_offered_the_tools_and_its_tasks_survive_a_restart(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = project.parent / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    (project / ".git").mkdir()
    (project / "src").mkdir()
    async with connected(project / "src") as client:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == ["TaskCreate", "TaskUpdate", "TaskGet", "TaskList"]
        assert [tool.annotations and tool.annotations.read_only_hint for tool in tools] == [False, False, True, True]
        assert tools[0].input_schema["required"] == ["subject", "description"]
        created = await call_tool(client, "TaskCreate", subject="Load the prices", description="from CSV")
        assert created == ("Created task 1: Load the prices\n1 task: 1 pending.", False)
    async with connected(project) as client:
        assert await call_tool(client, "TaskUpdate", taskId="1", status="in_progress") == (
            "Updated task 1 (in_progress): Load the prices\n1 task: 1 in_progress.",
            False,
        )
        assert await call_tool(client, "TaskList") == (
            "1 task: 1 in_progress.\n1. [in_progress] Load the prices",
            False,
        )
    folder = workspace_folder(state, project)
    assert [path.name for path in folder.iterdir()] == ["tasks.jsonl"]
    assert session_files(folder) == ()


def test_all_requests_before_the_end_of_the_input_are_answered(project: Path) -> None:
    arguments = {"subject": "x", "description": "y"}
    calls = [
        {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        for number, name in enumerate(["Nope", *["TaskCreate"] * 40], start=2)
    ]
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}}
    lines = b"".join(json.dumps(message).encode() + b"\n" for message in [*calls, cancelled])
    done = subprocess.run(program("mcp"), input=INITIALIZE + lines, cwd=project, env=environment(), capture_output=True)
    assert {json.loads(line)["id"] for line in done.stdout.splitlines()} == set(range(1, 43))


async def test_an_invalid_call_is_answered_with_an_error_message(project: Path) -> None:
    from mcp import MCPError

    async with connected(project, "--log", "mine.jsonl") as client:
        text, is_error = await call_tool(client, "TaskCreate", title="x")
        assert is_error
        assert text.endswith("It takes subject, description, activeForm (optional).")
        with pytest.raises(MCPError, match="there is no tool 'TaskFly'"):
            await client.call_tool("TaskFly", {})
        assert await call_tool(client, "TaskCreate", subject="x", description="y") == (
            "Created task 1: x\n1 task: 1 pending.",
            False,
        )
    assert (project / "mine.jsonl").exists()


async def test_a_second_server_is_refused_while_the_first_has_the_log(project: Path) -> None:
    async with connected(project, "--log", "mine.jsonl") as client:
        await call_tool(client, "TaskCreate", subject="x", description="y")
        command = [*program("mcp"), "--log", "mine.jsonl"]
        second = subprocess.run(
            command, cwd=project, env=environment(), input="", capture_output=True, text=True, timeout=60
        )
        assert second.returncode == 2
        assert second.stderr == (
            "ttsr-ls: another process is writing the session log mine.jsonl, so this server cannot use its tasks; "
            "give it a list of its own with --log FILE\n"
        )
        assert second.stdout == ""
        assert (await call_tool(client, "TaskList"))[0] == "1 task: 1 pending.\n1. [pending] x"


def test_a_missing_folder_is_refused(project: Path) -> None:
    command = [*program("mcp"), "--cwd", "nowhere"]
    ran = subprocess.run(command, cwd=project, env=environment(), input="", capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", "ttsr-ls: there is no folder nowhere\n")


CREATE = (
    b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":'
    b'{"name":"TaskCreate","arguments":{"subject":"\\ud800 x \\ud83d\\ude00","description":"\xff"}}}\n'
)
ODD = {
    b"garbage\n": (None, -32700),
    b'{"jsonrpc":"2.0","id":3,\n': (None, -32700),
    b"\\ud800\n": (None, -32700),
    b"[" * 100_000 + b"\n": (None, -32700),
    b'{"jsonrpc":"2.0","id":[],"method":1}\n': (None, -32600),
    b"[1]\n": (None, -32600),
}


def test_every_message_of_a_client_is_answered(project: Path) -> None:
    command = [*program("mcp"), "--log", "mine.jsonl"]
    ready = b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
    with subprocess.Popen(
        command, cwd=project, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None

        def answer(line: bytes) -> Any:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write(line)
            server.stdin.flush()
            return json.loads(server.stdout.readline())

        assert answer(INITIALIZE)["id"] == 1
        server.stdin.write(ready)
        for line, (number, code) in ODD.items():
            response = answer(line)
            assert (response["id"], response["error"]["code"]) == (number, code)
        created = answer(CREATE)
        assert created["id"] == 2
        assert created["result"]["content"][0]["text"].startswith("Created task 1: \ufffd x \U0001f600\n")
        server.stdin.close()
        assert server.wait(timeout=60) == 0


def test_ctrl_c_ends_the_server_although_its_input_is_open(project: Path) -> None:
    command = [sys.executable, "-m", "ttsr_ls", "mcp", "--log", "mine.jsonl"]
    with subprocess.Popen(
        command, cwd=project, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(INITIALIZE)
        server.stdin.flush()
        assert b'"serverInfo"' in server.stdout.readline()
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=60) == -signal.SIGINT
        assert server.stderr is not None
        assert server.stderr.read() == b""


def test_the_package_is_imported_only_to_serve() -> None:
    program = (
        "import contextlib, sys; from ttsr_ls.cli.main import main\n"
        "with contextlib.suppress(SystemExit): main(['mcp', '--help'])\n"
        "print(sorted({'mcp', 'mcp_types', 'pydantic', 'asyncio'} & set(sys.modules)), file=sys.stderr)"
    )
    process = subprocess.run(
        [sys.executable, "-c", program], env=environment(), capture_output=True, text=True, check=True, timeout=60
    )
    assert process.stdout.startswith("usage: ttsr-ls mcp")
    assert process.stderr == "[]\n"


def test_without_the_mcp_package_the_error_has_the_install_command(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "ttsr_ls.bridge.mcp.server", raising=False)
    monkeypatch.setitem(sys.modules, "mcp_types", None)
    ran = ttsr_ls(capsys, "mcp", "--log", str(project / "x.jsonl"))
    assert ran.status == 2
    assert ran.err == "ttsr-ls: mcp needs the package of that name; install it with: pip install 'ttsr-ls[mcp]'\n"
    assert not (project / "x.jsonl").exists()


def test_a_corrupt_line_of_the_log_is_reported_and_the_rest_is_used(project: Path) -> None:
    command = [*program("mcp"), "--log", "mine.jsonl"]

    def ran() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=project, env=environment(), input="", capture_output=True, text=True, timeout=60
        )

    assert ran().stderr == ""
    with (project / "mine.jsonl").open("a") as file:
        file.write("broken\n")
    again = ran()
    assert again.returncode == 0
    assert again.stderr.startswith("ttsr-ls: mine.jsonl: Line 2 is not JSON")
