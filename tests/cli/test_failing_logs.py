"""Each command with a session reports a failing log, its effect, and a remedy; `--strict` stops the command."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import environment
from tests.fork_server import program
from ttsr_ls.store.log.reader import read_log

SAMPLE = Path(__file__).parents[1] / "samples" / "claude" / "print-partial.jsonl"
RULE = "---\ncondition: import deprecated_module\n---\nUse new_module.\n"
SCRIPT = {"answers": ["I import deprecated_module here.", "Fine.", "Again: import deprecated_module.", "Done."]}
MCP: list[dict[str, Any]] = [
    {
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
    {
        "id": 2,
        "method": "tools/call",
        "params": {"name": "TaskCreate", "arguments": {"subject": "a", "description": ""}},
    },
]
COMMANDS = {
    "agent": ["agent", "--script", "script.yaml", "-p", "one", "-p", "two"],
    "watch": ["watch", "--from", "claude", str(SAMPLE)],
    "demo": ["demo", "--speed", "1e9"],
    "mcp": ["mcp"],
}
SAID = {
    "agent": "-- No session log is written: cannot open the session log ",
    "watch": "SESSION LOG: No session log is written: cannot open the session log ",
    "demo": "SESSION LOG: No session log is written: cannot open the session log ",
    "mcp": "ttsr-ls: the tasks are kept in memory, and lost when this server ends: cannot open the session log ",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    work = tmp_path / "work"
    (work / ".omp" / "rules").mkdir(parents=True)
    (work / ".omp" / "rules" / "no-old.md").write_text(RULE)
    (work / "script.yaml").write_text(json.dumps(SCRIPT))
    return work


def run(
    folder: Path, *args: str, state: Path, before: Callable[[], None] | None = None, typed: str = ""
) -> subprocess.CompletedProcess[str]:
    start = program(args[0]) if before is None else [sys.executable, "-m", "ttsr_ls", args[0]]
    process = subprocess.run(
        [*start, *args[1:]],
        cwd=folder,
        env=environment(HOME=str(folder.parent), XDG_STATE_HOME=str(state)),
        input=typed,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=before,
    )
    assert "Traceback" not in process.stderr
    return process


def messages() -> str:
    return "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in MCP)


def size_limit(size: int) -> Callable[[], None]:
    """No file can grow beyond `size` bytes, as on a full disk; this works for root, too."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.fixture
def unusable(tmp_path: Path) -> Path:
    """A state folder in which nothing can be made, even by root."""
    (tmp_path / "state").write_text("a file in the place of the folder")
    return tmp_path / "state"


@pytest.mark.parametrize("command", COMMANDS)
def test_without_its_state_folder_a_command_reports_it_and_works(folder: Path, unusable: Path, command: str) -> None:
    process = run(folder, *COMMANDS[command], state=unusable, typed=messages())
    assert process.returncode == 0
    lines = _from_the_session(command, process.stderr if command == "mcp" else process.stdout).splitlines()
    assert lines[0].startswith(SAID[command])
    assert "; choose another place for the log" in lines[0]
    if command == "agent":
        assert "-- Injected into the conversation: no-old." in lines
        assert lines[-1] == "-- 12 records were lost: the session log could not be written."
    elif command == "watch":
        assert "no session log" in lines[1]
        assert "9 records were lost: the session log could not be written." in lines
    elif command == "demo":
        assert any("were lost" in line for line in lines)
        assert "Session log:" not in process.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_strict_stops_a_command_without_its_state_folder(folder: Path, unusable: Path, command: str) -> None:
    process = run(folder, *COMMANDS[command], "--strict", state=unusable, typed=messages())
    assert process.returncode == 2
    assert process.stderr.startswith("ttsr-ls: cannot open the session log ")
    assert _from_the_session(command, process.stdout) == ""


def _from_the_session(command: str, output: str) -> str:
    """`output` without the parts of the demo that write no log, which come first."""
    return output.partition("== 3 of 3")[2].partition("\n\n")[2] if command == "demo" else output


@pytest.mark.parametrize("command", ["agent", "watch", "mcp"])
def test_a_named_log_that_cannot_be_opened_is_an_error(
    folder: Path, tmp_path: Path, unusable: Path, command: str
) -> None:
    process = run(folder, *COMMANDS[command], "--log", str(unusable / "x.jsonl"), state=tmp_path / "other")
    assert process.returncode == 2
    assert process.stderr.startswith(f"ttsr-ls: cannot open the session log {unusable / 'x.jsonl'}: ")


@pytest.mark.parametrize("command", ["agent", "watch", "mcp"])
def test_a_log_of_a_newer_program_is_refused_with_what_to_do(folder: Path, tmp_path: Path, command: str) -> None:
    log = tmp_path / "newer.jsonl"
    log.write_text('{"ttsr-log":2,"session":"s"}\n')
    process = run(folder, *COMMANDS[command], "--log", str(log), state=tmp_path / "state")
    assert process.returncode == 2
    assert process.stderr.startswith(f"ttsr-ls: the session log {log} was written by another version of ttsr-ls")
    assert process.stderr.endswith("update ttsr-ls to continue this log, or name another file to begin a new one\n")
    assert log.read_text() == '{"ttsr-log":2,"session":"s"}\n'


def test_an_agent_whose_disk_fills_up_continues_without_rules_and_reports_it(folder: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    arguments = [*COMMANDS["agent"], "--log", str(log)]
    process = run(folder, *arguments, state=tmp_path / "state", before=size_limit(1000))
    lines = process.stdout.splitlines()
    assert process.returncode == 0
    off = [line for line in lines if "Rules are off until" in line]
    assert len(off) == 1
    assert f"cannot write the session log {log}: File too large; raise the limit" in off[0]
    assert " deprecated_module here." in lines, "nothing is cut off"
    assert not any("Injected into" in line for line in lines)
    assert lines[-1].endswith("records were lost: the session log could not be written.")
    assert int(lines[-1].split()[1]) > 3
    assert read_log(log).records
    again = run(folder, "agent", "--script", "script.yaml", "-p", "one", "--log", str(log), state=tmp_path / "state")
    assert "is ignored; the writer was interrupted." in again.stdout
    assert "-- Injected into the conversation: no-old." in again.stdout
    content = read_log(log)
    assert [record.sequence for record in content.records] == list(range(1, len(content.records) + 1))


def test_a_strict_agent_stops_where_its_disk_fills_up(folder: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    arguments = [*COMMANDS["agent"], "--strict", "--log", str(log)]
    process = run(folder, *arguments, state=tmp_path / "state", before=size_limit(1000))
    assert process.returncode == 2
    assert process.stderr.startswith(f"ttsr-ls: cannot write the session log {log}: File too large; raise the limit")
    assert "> two" not in process.stdout
    assert "goes on" not in process.stdout


def test_a_watch_whose_disk_fills_up_reports_all_triggers_and_counts_the_lost_records(
    folder: Path, tmp_path: Path
) -> None:
    log = tmp_path / "log.jsonl"
    arguments = [*COMMANDS["watch"], "--log", str(log)]
    process = run(folder, *arguments, state=tmp_path / "state", before=size_limit(500))
    assert process.returncode == 0
    assert process.stdout.count("SESSION LOG: No records are written from now on: cannot write the session log") == 1
    assert "2 triggers of 1 rule" in process.stdout
    assert " records were lost: the session log could not be written." in process.stdout
    strict = run(folder, *arguments, "--strict", state=tmp_path / "state", before=size_limit(500))
    assert strict.returncode == 2
    assert strict.stderr.startswith(f"ttsr-ls: cannot write the session log {log}: File too large")


def served(folder: Path, *args: str, limit: int) -> tuple[list[Any], int, str]:
    """The answers of an MCP server to calls that a client makes one after the other; its status and error output."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ttsr_ls", "mcp", *args],
        cwd=folder,
        env=environment(HOME=str(folder.parent)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=size_limit(limit),  # noqa: PLW1509 - no other thread runs here
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        replies = []
        for number, message in enumerate([*MCP, MCP[2], MCP[2]]):
            request = {"jsonrpc": "2.0", **message}
            process.stdin.write(json.dumps({**request, "id": number} if "id" in request else request) + "\n")
            process.stdin.flush()
            if "id" in request:
                line = process.stdout.readline()
                if not line:
                    break
                replies.append(json.loads(line)["result"])
        process.stdin.close()
        return replies, process.wait(60), process.stderr.read()


def test_an_mcp_server_whose_disk_fills_up_refuses_changes_and_counts_them(folder: Path, tmp_path: Path) -> None:
    log = tmp_path / "tasks.jsonl"
    run(folder, "mcp", "--log", str(log), state=tmp_path, typed=messages())
    limit = log.stat().st_size + 20
    log.unlink()
    replies, status, errors = served(folder, "--log", str(log), limit=limit)
    assert [reply["isError"] for reply in replies[1:]] == [False, True, True]
    assert replies[2]["content"][0]["text"].startswith("Nothing was changed: cannot write the session log")
    assert (status, errors) == (
        0,
        f"ttsr-ls: 2 changes of tasks were refused, because the session log {log} could not be written\n",
    )
    log.unlink()
    replies, status, errors = served(folder, "--strict", "--log", str(log), limit=limit)
    assert [reply["isError"] for reply in replies[1:]] == [False]
    assert status == 2
    assert errors.startswith(f"ttsr-ls: cannot write the session log {log}: File too large")
