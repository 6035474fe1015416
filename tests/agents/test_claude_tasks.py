"""A real Claude Code that keeps its tasks in `ttsr-ls mcp`, this session and the next."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.recorders.messages_server import MessagesServer, Text, ToolUse
from ttsr_ls.features.tasks.state import fold
from ttsr_ls.features.tasks.task import Task, TaskStatus
from ttsr_ls.store.log.reader import read_log

ROOT = Path(__file__).parents[2]


def tool_results(project: Path, home: Path, log: Path, answers: list[list[Text | ToolUse]]) -> list[tuple[str, bool]]:
    """Runs Claude Code with a model that says `answers`; what it was told of each tool call, and whether it failed."""
    server = {
        "command": sys.executable,
        "args": ["-m", "ttsr_ls", "mcp", "--log", str(log)],
        "env": {"PYTHONPATH": str(ROOT)},
    }
    config = project.parent / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"ttsr": server}}))
    model = MessagesServer(answers, (), seed=7)
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "ANTHROPIC_BASE_URL": model.url,
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }
    command = [os.environ["TTSR_CLAUDE"], "-p", "Load the prices", "--output-format", "stream-json", "--verbose"]
    command += ["--mcp-config", str(config), "--strict-mcp-config", "--allowedTools", "mcp__ttsr"]
    try:
        process = subprocess.run(
            command, cwd=project, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
        )
    finally:
        model.close()
    assert model.served == len(answers), process.stderr
    return [result for line in process.stdout.splitlines() for result in _results(json.loads(line))]


def _results(line: dict[str, Any]) -> list[tuple[str, bool]]:
    if line.get("type") != "user":
        return []
    blocks = [block for block in line["message"]["content"] if block.get("type") == "tool_result"]
    return [(_text(block["content"]), bool(block.get("is_error"))) for block in blocks]


def _text(content: str | list[dict[str, Any]]) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def test_it_keeps_its_tasks_from_one_session_to_the_next(tmp_path: Path) -> None:
    home, project, log = tmp_path / "home", tmp_path / "shop", tmp_path / "tasks.jsonl"
    home.mkdir()
    project.mkdir()
    first = tool_results(
        project,
        home,
        log,
        [
            [
                ToolUse("mcp__ttsr__TaskCreate", {"subject": "Read the CSV", "description": "all rows"}),
                ToolUse("mcp__ttsr__TaskCreate", {"subject": "Show the cart", "description": "cheapest first"}),
            ],
            [ToolUse("mcp__ttsr__TaskUpdate", {"taskId": "2", "addBlockedBy": ["1"]})],
            [ToolUse("mcp__ttsr__TaskUpdate", {"taskId": "3", "status": "completed"})],
            [Text("Both are on the list.")],
        ],
    )
    assert sorted(text.splitlines()[0] for text, _ in first[:2]) == [
        "Created task 1: Read the CSV",
        "Created task 2: Show the cart",
    ]
    assert first[2] == ("Updated task 2 (pending): Show the cart\n2 tasks: 2 pending.", False)
    # Claude Code adds the schema of a tool that its model has not asked for.
    text, is_error = first[3]
    assert text.startswith("There is no task '3'. TaskList shows the tasks with their numbers.")
    assert is_error

    second = tool_results(
        project,
        home,
        log,
        [
            [ToolUse("mcp__ttsr__TaskUpdate", {"taskId": "1", "status": "completed"})],
            [ToolUse("mcp__ttsr__TaskList", {})],
            [Text("The first is done.")],
        ],
    )
    assert second[1] == (
        "2 tasks: 1 pending, 1 completed.\n1. [completed] Read the CSV\n2. [pending] Show the cart",
        False,
    )
    tasks = fold(record.event for record in read_log(log).records).tasks
    assert tasks.find(1) == Task(1, "Read the CSV", "all rows", TaskStatus.COMPLETED)
