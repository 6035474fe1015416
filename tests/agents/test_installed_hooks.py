"""Real agents with installed hooks: each is denied what a rule forbids, and the corrected file is on disk."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.agents.hooked_agents import codex, codex_patches, codex_patches_in_its_shell, codex_writes, ours, theirs
from tests.agents.responses_server import ResponsesServer
from tests.bridge.proxy.anthropic_model import AnthropicModel, sse, text
from tests.bridge.proxy.validating_server import ModelServer
from tests.docs.pages import ROOT, titled_block
from tests.fork_server import program
from tests.loopback_ports import free_port, taken_port
from tests.recorders.messages_server import Block, MessagesServer, Text, ToolUse
from ttsr_ls.session.history.turn_events import InjectionCommitted, InstructionsLoaded
from ttsr_ls.store.hook_server_file import hook_server_address
from ttsr_ls.store.log.reader import read_log

RULE = "---\ncondition: deprecated_module\n---\nUse new_module.\n"
IDLE = {"DISABLE_TELEMETRY": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name, value in IDLE.items():
        monkeypatch.setenv(name, value)
    project = tmp_path / "shop"
    (project / ".omp" / "rules").mkdir(parents=True)
    (project / ".omp" / "rules" / "no-old.md").write_text(RULE)
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    monkeypatch.chdir(project)
    hook_server_address(tmp_path / "state", free_port())
    yield project
    ours("hooks", "stop")


def writing(project: Path, module: str, name: str = "a.py") -> ToolUse:
    return ToolUse("Write", {"file_path": str(project / name), "content": f"import {module}\n"})


def test_claude_code_corrects_its_file_is_denied_once_and_continues_where_its_answer_breaks_a_rule(
    project: Path,
) -> None:
    (project / ".omp" / "rules" / "no-done.md").write_text(
        "---\ncondition: all done\nscope: text\n---\nSay what you ran.\n"
    )
    (project / ".omp" / "rules" / "no-slow.md").write_text(
        "---\ncondition: slow_module\ninterruptMode: never\n---\nUse quick_module.\n"
    )
    (project / "CLAUDE.md").write_text("Write tests.\n")
    answers: list[list[Block]] = [
        [writing(project, "deprecated_module")],
        [writing(project, "new_module")],
        [writing(project, "deprecated_module", "again.py")],
        [writing(project, "slow_module", "slow.py")],
        [Text("It is all done.")],
        [Text("I ran the tests: 3 passed.")],
    ]
    server = MessagesServer(answers, [], seed=3)
    ours("install", "claude")
    try:
        process = theirs(
            "TTSR_CLAUDE", "-p", "Write a.py", "--permission-mode", "acceptEdits",
            ANTHROPIC_BASE_URL=server.url, ANTHROPIC_API_KEY="none",
        )  # fmt: skip
    finally:
        server.close()
    assert (process.returncode, server.served) == (0, 6), process.stderr
    assert (project / "a.py").read_text() == "import new_module\n"
    # By default, a rule denies one call.
    assert (project / "again.py").exists()
    assert "Say what you ran." in json.dumps(server.requests[5]["messages"])
    reminded = json.dumps(server.requests[4]["messages"])
    assert "Use quick_module." in reminded
    # Claude Code escapes tags that only it may write.
    assert "&lt;" not in reminded
    assert "3 passed" in process.stdout
    (log,) = (project.parent / "state" / "ttsr-ls").glob("shop-*/*.jsonl")
    assert '"kind":"RuleTriggered"' in log.read_text()
    loaded = [record.event for record in read_log(log).records if isinstance(record.event, InstructionsLoaded)]
    shown = ours("sessions", "show")
    assert "no-done fired on »all done«: reminded" in shown
    assert "no-slow fired on »slow_module«: reminded" in shown
    assert [(event.path, event.level, event.reason) for event in loaded] == [
        (str(project / "CLAUDE.md"), "Project", "session_start")
    ]
    assert f"the agent loaded {project / 'CLAUDE.md'} (Project, session_start)" in shown
    loaded_files = "In its last session here, it loaded 1 file of instructions: "
    assert f"{loaded_files}{project / 'CLAUDE.md'}." in ours("doctor", "claude", "--no-agent")


@pytest.mark.parametrize("option", ["--fail-closed", "--no-fail-closed"])
def test_claude_code_without_the_server_runs_calls_unless_hooks_fail_closed(project: Path, option: str) -> None:
    call = ToolUse("Write", {"file_path": str(project / "a.py"), "content": "import deprecated_module\n"})
    server = MessagesServer([[call], [Text("Over.")]], [], seed=3)
    address = hook_server_address(project.parent / "state")
    ours("install", "claude", option)
    # Another program has the port, so the session cannot start the server.
    try:
        with taken_port(address.port):
            process = theirs(
                "TTSR_CLAUDE", "-p", "Write a.py", "--permission-mode", "acceptEdits",
                ANTHROPIC_BASE_URL=server.url, ANTHROPIC_API_KEY="none",
            )  # fmt: skip
    finally:
        server.close()
    is_closed = option == "--fail-closed"
    assert (process.returncode, process.stdout.strip()) == (0, "Over.")
    assert (project / "a.py").exists() != is_closed
    assert ('onFailure is \\"block\\"' in json.dumps(server.requests[1]["messages"])) == is_closed
    # Nothing else tells the user of `-p` that rules were off.
    assert re.fullmatch(rf"SessionEnd hook \[{address.url}/claude\] failed: .*\n", process.stderr), process.stderr
    assert address.token not in process.stdout + process.stderr


def test_claude_code_is_denied_always_and_asks_its_user_if_settings_want_it(project: Path) -> None:
    settings = titled_block(ROOT / "docs" / "tutorials" / "claude-code.md", ".omp/config.yml")
    (project / ".omp" / "config.yml").write_text(f"{settings.rstrip()}\n  askRules: [no-other]\n")
    (project / ".omp" / "rules" / "no-other.md").write_text("---\ncondition: other_module\n---\nUse new_module.\n")
    call, asked = writing(project, "deprecated_module"), writing(project, "other_module", "b.py")
    server = MessagesServer([[call], [call], [asked], [Text("It was not permitted.")]], [], seed=3)
    ours("install", "claude")
    try:
        # Nobody is there to permit it.
        process = theirs(
            "TTSR_CLAUDE", "-p", "Write a.py", "--permission-mode", "acceptEdits", "--output-format", "stream-json",
            "--verbose", ANTHROPIC_BASE_URL=server.url, ANTHROPIC_API_KEY="none",
        )  # fmt: skip
    finally:
        server.close()
    assert (process.returncode, server.served) == (0, 4), process.stderr
    assert not (project / "a.py").exists()
    assert json.dumps(server.requests[2]["messages"]).count("Use new_module.") == 2
    assert not (project / "b.py").exists()
    results = json.loads(process.stdout.splitlines()[-1])
    denied = [(denial["tool_name"], denial["tool_input"]["file_path"]) for denial in results["permission_denials"]]
    assert denied == [("Write", str(project / name)) for name in ("a.py", "a.py", "b.py")]


def test_claude_code_behind_the_proxy_is_left_to_it_by_its_hooks(project: Path) -> None:
    call = ToolUse("Write", {"file_path": str(project / "a.py"), "content": "import other  # SECRETFILE\n"})
    server = MessagesServer([[call], [Text("SECRETANSWER")]], [], seed=3)
    ours("install", "claude")
    try:
        process = subprocess.run(
            [
                *program("run"), "--proxy", "--no-content",
                "--program", os.environ["TTSR_CLAUDE"], "claude", "--",
                "-p", "Write SECRETPROMPT", "--permission-mode", "acceptEdits",
            ],
            env={**os.environ, "ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "none"},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
    finally:
        server.close()
    assert (process.returncode, process.stdout.strip()) == (0, "SECRETANSWER"), process.stderr
    assert "SECRETFILE" in (project / "a.py").read_text()
    assert "not recorded" not in process.stderr
    state = project.parent / "state" / "ttsr-ls"
    (log,) = state.glob("shop-*/*.jsonl")
    assert "-proxy-" in log.name
    assert [path for path in state.rglob("*") if path.is_file() and b"SECRET" in path.read_bytes()] == []


def test_claude_code_is_woken_by_the_judge_and_reports_the_lost_server(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / ".omp" / "rules" / "no-claims.md").write_text(
        "---\nquestion: Does it claim success?\nscope: text\n---\nSay what you ran.\n"
    )
    judge = AnthropicModel([[text('{"1": 0.9}')], [text('{"1": 0.1}')]])
    judging = ModelServer(AnthropicModel([]), sse, judge)
    call = ToolUse("Write", {"file_path": str(project / "a.py"), "content": "import deprecated_module\n"})
    answers: list[list[Block]] = [
        [Text("It works.")],
        [Text("I ran the tests: 3 passed.")],
        [call],
        [Text("Unprotected.")],
    ]
    server = MessagesServer(answers, [], seed=3)
    for name, value in {"": "j", "_BASE_URL": judging.url, "_PROVIDER": "anthropic"}.items():
        monkeypatch.setenv(f"TTSR_LS_JUDGE{name}", value)
    ours("install", "claude")
    environ = {**os.environ, "ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "none"}
    command = [os.environ["TTSR_CLAUDE"], "-p", "--input-format", "stream-json", "--output-format", "stream-json"]
    pipe = subprocess.PIPE
    with subprocess.Popen([*command, "--verbose"], env=environ, stdin=pipe, stdout=pipe, text=True) as session:
        assert session.stdin is not None
        assert session.stdout is not None
        prompt = {"type": "user", "message": {"role": "user", "content": "Go"}}
        session.stdin.write(json.dumps(prompt) + "\n")
        session.stdin.flush()  # The session stays open, as one on a terminal does.
        results = (line for line in session.stdout if json.loads(line)["type"] == "result")
        assert ["It works." in next(results), "3 passed" in next(results)] == [True, True]
        ours("hooks", "stop")  # In mid-session.
        session.stdin.write(json.dumps(prompt) + "\n")
        session.stdin.close()
        assert '"tag":"hook_no_verdict"' in session.stdout.read()
    assert "The hook server was not running" in ours("doctor", "claude", "--no-agent")
    server.close()
    judging.close()
    woken = json.dumps(server.requests[1]["messages"])
    assert "Say what you ran." in woken
    assert "&lt;system-" not in woken
    (log,) = (project.parent / "state" / "ttsr-ls").glob("shop-*/*.jsonl")
    injected = [record.event for record in read_log(log).records if isinstance(record.event, InjectionCommitted)]
    assert [event.rules for event in injected] == [("no-claims",)]


@pytest.mark.parametrize(
    ("model", "write", "scope"),
    [
        ("m", codex_writes, "tool:bash"),
        ("m", codex_patches_in_its_shell, "tool:edit(*.py), tool:write(*.py)"),
        ("gpt-5.5", codex_patches, "tool:edit(*.py), tool:write(*.py)"),
    ],
)
def test_codex_is_denied_and_corrects_its_file(
    project: Path, model: str, write: Callable[[str], dict[str, Any]], scope: str
) -> None:
    rule = RULE.replace("condition", f"scope: {scope}\ncondition")
    (project / ".omp" / "rules" / "no-old.md").write_text(rule)
    server = ResponsesServer([write("deprecated_module"), write("new_module"), "Written."])
    ours("install", "codex")
    ours("hooks", "ensure")
    assert codex(server, model).returncode == 0
    assert (project / "a.py").read_text() == "import new_module\n"
    results = [item for item in server.requests[1]["input"] if item.get("type", "").endswith("_call_output")]
    assert "Use new_module." in str(results[-1]["output"])
    (log,) = (project.parent / "state" / "ttsr-ls").glob("shop-*/*.jsonl")
    assert "it was stopped before it gave a result" not in log.read_text()


@pytest.mark.parametrize("is_client_lost", [False, True])
def test_codex_whose_hooks_fail_closed_runs_no_call_without_the_server(project: Path, is_client_lost: bool) -> None:
    server = ResponsesServer([codex_writes("new_module"), "Over."])
    ours("install", "codex", "--fail-closed")
    if is_client_lost:
        (project.parent / "state" / "ttsr-ls" / "hooks" / "ttsr-hook").unlink()
    with taken_port(hook_server_address(project.parent / "state").port):
        codex(server)
    assert not (project / "a.py").exists()
    results = [item for item in server.requests[1]["input"] if item.get("type") == "function_call_output"]
    assert ("ttsr-hook: No such file" if is_client_lost else "this call was not checked") in str(results[-1]["output"])


def test_the_doctor_finds_that_codex_skips_hooks_that_are_not_trusted(project: Path) -> None:
    ours("install", "codex")
    command = [*program("doctor"), "codex"]
    environ = {**os.environ, "PATH": f"{Path(os.environ['TTSR_CODEX']).parent}:{os.environ['PATH']}"}
    process = subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=120)
    assert (process.returncode, list(project.parent.glob(".codex/sessions/**/*.jsonl"))) == (1, [])
    assert "FAILED   Codex skips hooks that are not trusted: PreToolUse, " in process.stdout


@pytest.mark.parametrize("place", [[], ["--project"]])
def test_the_doctor_proves_it_with_the_agent_itself(project: Path, place: list[str]) -> None:
    ours("install", "claude", *place)
    shared = project / ".claude" / "settings.json"
    shared.parent.mkdir(exist_ok=True)
    shared.write_text('{"env": {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}}')

    def ran_again() -> subprocess.CompletedProcess[str]:
        command = [*program("doctor"), "claude"]
        environ = {**os.environ, "PATH": f"{Path(os.environ['TTSR_CLAUDE']).parent}:{os.environ['PATH']}"}
        return subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=120)

    process = ran_again()
    assert process.returncode == 0, process.stdout
    proven = "The agent itself, with a model on loopback, was denied calls that the doctor's rules forbid: "
    assert f"ok       {proven}" in process.stdout
    assert not list(project.parent.glob(".claude/projects/**/*.jsonl"))
    settings = project / ".claude" / "settings.local.json" if place else project.parent / ".claude" / "settings.json"
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"disableAllHooks": True}))
    assert ran_again().returncode == 1
