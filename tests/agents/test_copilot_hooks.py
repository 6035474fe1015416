"""A real Copilot CLI with the hooks of VS Code, whose file it reads: rules deny, remind, and continue an answer."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agents.hooked_agents import ours, theirs
from tests.loopback_ports import free_port
from tests.recorders.messages_server import Block, MessagesServer, Text, ToolUse
from ttsr_ls.store.hook_server_file import hook_server_address


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    project = tmp_path / "shop"
    rules = project / ".omp" / "rules"
    rules.mkdir(parents=True)
    (rules / "no-old.md").write_text(
        "---\ncondition: deprecated_module\nscope: tool:write(*.py)\n---\nUse new_module.\n"
    )
    (rules / "no-raw.md").write_text("---\ncondition: raw_module\ninterruptMode: never\n---\nPut it right.\n")
    (rules / "no-done.md").write_text("---\ncondition: all done\nscope: text\n---\nSay what you ran.\n")
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    monkeypatch.chdir(project)
    hook_server_address(tmp_path / "state", free_port())
    yield project
    ours("hooks", "stop")


def test_copilot_cli_is_denied_a_call_reminded_of_a_rule_and_continued(project: Path) -> None:
    """One run, because Copilot CLI takes seconds to start: the rules that fire are three."""
    path = str(project / "a.py")
    answers: list[list[Block]] = [
        [ToolUse("create", {"path": path, "file_text": "import deprecated_module\n"})],
        [ToolUse("create", {"path": path, "file_text": "import new_module\n"})],
        [ToolUse("edit", {"path": path, "old_str": "new_module", "new_str": "raw_module"})],
        [Text("It is all done.")],
        [Text("I ran 3 tests.")],
    ]
    server = MessagesServer(answers, [], seed=3)
    ours("install", "vscode")
    try:
        process = theirs(
            "TTSR_COPILOT", "-p", "Write a.py", "--allow-all-tools",
            COPILOT_OFFLINE="true", COPILOT_PROVIDER_BASE_URL=server.url, COPILOT_PROVIDER_TYPE="anthropic",
            COPILOT_PROVIDER_API_KEY="none", COPILOT_MODEL="claude-sonnet-4",
        )  # fmt: skip
    finally:
        server.close()
    assert (process.returncode, server.served) == (0, 5), process.stdout + process.stderr
    sent = [json.dumps(request["messages"]) for request in server.requests]
    assert sent[1].count("Use new_module.") == 1
    assert (project / "a.py").read_text() == "import raw_module\n"
    assert "Put it right." in sent[3]
    assert "Put it right." not in sent[2]
    assert "Say what you ran." in sent[4]
    assert "I ran 3 tests." in process.stdout
    (log,) = (project.parent / "state" / "ttsr-ls").glob("shop-*/*.jsonl")
    assert log.read_text().count('"kind":"RuleTriggered"') == 3
