"""The tool for commands: permission, limits, and the end of all processes."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from ttsr_ls.agent.secrets import Secrets
from ttsr_ls.agent.shell_tool import MAX_OUTPUT, shell_tool
from ttsr_ls.agent.tool import AgentTool, ToolOutcome

ENVIRONMENT = {"PATH": os.environ["PATH"]}


def tool(folder: Path, allowed: bool = True) -> AgentTool[Any]:
    async def permission(command: str) -> bool:
        return allowed

    return shell_tool(folder, permission, ENVIRONMENT)


async def always(question: str) -> bool:
    return True


async def bash(folder: Path, command: str, **others: Any) -> ToolOutcome:
    return await tool(folder).call(json.dumps({"command": command, **others}))


async def test_a_command_returns_its_output_and_exit_status(tmp_path: Path) -> None:
    assert await bash(tmp_path, "pwd; echo error >&2") == ToolOutcome(f"{tmp_path}\nerror\n", False)
    assert await bash(tmp_path, "true") == ToolOutcome("[It wrote nothing.]", False)
    assert await bash(tmp_path, "echo -n x; exit 3") == ToolOutcome("x\n[Exit status 3.]", True)
    assert await bash(tmp_path, "cat; printf '\\xff'") == ToolOutcome("\ufffd\n", False)


async def test_a_command_gets_only_the_given_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL_KEY", "secret")
    assert "secret" not in (await bash(tmp_path, "env")).text


async def test_a_command_without_permission_is_not_run(tmp_path: Path) -> None:
    outcome = await tool(tmp_path, allowed=False).call('{"command": "touch x"}')
    assert outcome == ToolOutcome("The user did not allow this command.", True)
    assert not (tmp_path / "x").exists()


async def test_the_middle_of_a_long_output_is_left_out(tmp_path: Path) -> None:
    outcome = await bash(tmp_path, "echo first; head -c 500000 /dev/zero | tr '\\0' x; echo last")
    assert outcome.text.startswith("first\nxxx")
    assert outcome.text.endswith("xxxlast\n")
    assert f"[{500_000 + 11 - MAX_OUTPUT} bytes are left out.]" in outcome.text
    assert len(outcome.text) < MAX_OUTPUT + 100


async def test_a_secret_is_not_left_in_part_where_output_is_left_out(tmp_path: Path) -> None:
    secrets = Secrets.from_environment({"API_KEY": "sk-0123456789abcdef"}, [])
    (tmp_path / "secret").write_text("sk-0123456789abcdef" * 10_000)
    run = shell_tool(tmp_path, always, ENVIRONMENT, secrets)
    outcome = await run.call(json.dumps({"command": "cat secret"}))
    masked = secrets.mask(outcome.text)
    assert "bytes are left out" in masked
    assert "sk-" not in masked
    assert "cdef" not in masked


async def test_a_command_that_exceeds_its_timeout_is_killed_with_its_children(tmp_path: Path) -> None:
    outcome = await bash(tmp_path, "echo begun; (sleep 60 & echo $! > pid; wait)", timeout=3)
    assert outcome == ToolOutcome("begun\n[Killed after 3 seconds.]", True)
    await gone(tmp_path / "pid")


async def test_background_processes_of_a_command_are_killed(tmp_path: Path) -> None:
    outcome = await asyncio.wait_for(bash(tmp_path, "sleep 60 & echo $! > pid; echo done"), 40)
    assert outcome == ToolOutcome("done\n", False)
    await gone(tmp_path / "pid")


async def test_cancelling_the_call_kills_the_command(tmp_path: Path) -> None:
    running = asyncio.create_task(bash(tmp_path, "echo $$ > pid; sleep 60"))
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
        await asyncio.sleep(0.01)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await gone(tmp_path / "pid")


@pytest.mark.parametrize("timeout", [0, -1, 601, "x"])
async def test_an_invalid_timeout_is_refused(tmp_path: Path, timeout: object) -> None:
    assert (await bash(tmp_path, "touch x", timeout=timeout)).failed
    assert not (tmp_path / "x").exists()


async def test_an_invalid_command_is_refused(tmp_path: Path) -> None:
    assert (await bash(tmp_path, "echo a\0b")).failed
    assert (await bash(tmp_path, "")).failed


async def gone(pid_file: Path) -> None:
    """Waits until the process has ended or is a zombie."""
    status = Path("/proc") / pid_file.read_text().strip() / "stat"
    async with asyncio.timeout(60):
        while status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] != "Z":
            await asyncio.sleep(0.01)
