"""The agent of a real VS Code with installed hooks: rules deny its calls, add a reminder, and continue its answer.

The agent needs no account, because its model is one of the user's own: a scripted one on loopback.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editors.probed import server_program
from tests.editors.vscode_window import open_vscode
from tests.fork_server import program
from tests.loopback_ports import free_port
from tests.recorders.messages_server import Block, MessagesServer, Text, ToolUse
from ttsr_ls.store.hook_server_file import hook_server_address

pytestmark = pytest.mark.editor

RULES = {
    "no-old": "---\ncondition: deprecated_module\nscope: tool:write(*.py)\n---\nUse new_module.\n",
    "no-any": "---\ncondition: ': any'\nscope: tool:edit(*.ts)\n---\nName the type.\n",
    "no-raw": "---\ncondition: raw_module\ninterruptMode: never\n---\nPut it right.\n",
    "no-done": "---\ncondition: all done\nscope: text\n---\nSay what you ran.\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    project = tmp_path / "shop"
    rules = project / ".omp" / "rules"
    rules.mkdir(parents=True)
    for name, text in RULES.items():
        (rules / f"{name}.md").write_text(text)
    (project / "a.ts").write_text("const a = 1\n")
    (project / "notes.md").write_text("one\n")
    hook_server_address(home / "state", free_port())
    subprocess.run([*program("install"), "vscode"], check=True, capture_output=True, cwd=project)
    yield project
    subprocess.run([*program("hooks"), "stop"], check=True, capture_output=True)


def test_the_agent_of_vs_code_is_denied_calls_reminded_of_a_rule_and_continued(
    project: Path, tmp_path: Path, vscode_cache: Path
) -> None:
    """One window, because VS Code takes seconds to start: the rules that fire are four."""

    def write(text: str) -> ToolUse:
        return ToolUse("create_file", {"filePath": str(project / "a.py"), "content": text})

    def replacement(name: str, old: str, new: str) -> dict[str, str]:
        return {"explanation": "", "filePath": str(project / name), "oldString": old, "newString": new}

    replacements = [replacement("notes.md", "one", "two"), replacement("a.ts", "const a = 1", "const a: any = 1")]
    answers: list[list[Block]] = [
        [write("import deprecated_module\n")],
        [ToolUse("multi_replace_string_in_file", {"explanation": "", "replacements": replacements})],
        [write("import raw_module\n")],
        [Text("It is all done.")],
        [Text("I ran 3 tests.")],
    ]
    server = MessagesServer(answers, [], seed=3)
    model = {"id": "scripted", "name": "Scripted", "url": f"{server.url}/v1/messages", "toolCalling": True}
    limits = {"vision": False, "maxInputTokens": 100_000, "maxOutputTokens": 8_000}
    edits = {"editTools": ["find-replace", "multi-find-replace"]}
    provider = {"name": "Ours", "vendor": "customendpoint", "apiType": "messages", "apiKey": "none"}
    models = [{**provider, "models": [{**model, **limits, **edits}]}]
    scratch = tmp_path / "vscode"
    scratch.mkdir()
    try:
        with open_vscode(vscode_cache, scratch, {}, server_program(scratch), models=models) as vscode:
            window = vscode.window(project)
            window.ask("settings", values={"chat.disableAIFeatures": False})
            window.ask("prompt", model="scripted", text="Write a.py")
    finally:
        server.close()
    sent = [json.dumps(request["messages"]) for request in server.requests]
    assert len(sent) == len(answers), sent[-1:]
    assert sent[1].count("Use new_module.") == 1
    assert sent[2].count("Name the type.") == 1
    assert (project / "a.ts").read_text() == "const a = 1\n"
    assert (project / "notes.md").read_text() == "one\n"
    assert (project / "a.py").read_text() == "import raw_module\n"
    assert "Put it right." in sent[3]
    assert "Say what you ran." in sent[4]
    (log,) = (tmp_path / "home" / "state" / "ttsr-ls").glob("shop-*/*.jsonl")
    assert log.read_text().count('"kind":"RuleTriggered"') == 4
