"""A real Gemini CLI with installed hooks: a call is denied, a reminder is added, and an answer is continued."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.agents.gemini_cli import gemini_environ, gemini_project, gemini_write, serving
from tests.agents.hooked_agents import ours
from tests.bridge.proxy.anthropic_model import Block, text
from tests.bridge.proxy.chat_model import GeminiModel
from tests.fork_server import program

ROOT = Path(__file__).parents[2]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    project = gemini_project(tmp_path)
    for name, value in gemini_environ(tmp_path, "http://127.0.0.1:1").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.chdir(project)
    ours("install", "gemini")
    yield project
    ours("hooks", "stop")


class KillingModel(GeminiModel):
    """A model that kills the hook server before its second answer."""

    def answer(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        if len(self.requests) == 1:
            os.kill(json.loads(ours("hooks", "status", "--json"))["state"]["pid"], signal.SIGKILL)
        return super().answer(body)


def hooked(
    project: Path, answers: Sequence[list[Block]], model_type: type[GeminiModel] = GeminiModel
) -> tuple[subprocess.CompletedProcess[str], list[Any]]:
    with serving(answers, model_type=model_type) as (model, server):
        command = [os.environ["TTSR_GEMINI"], "-p", "Write a.py", "-y", "-m", "gemini-2.5-pro"]
        environ = gemini_environ(project.parent, server.url)
        process = subprocess.run(
            command, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
        )
    assert (process.returncode, server.refusals) == (0, []), process.stderr
    return process, [request["contents"] for request in model.requests]


def test_a_call_is_denied_a_reminder_is_added_to_a_result_and_an_answer_is_continued(project: Path) -> None:
    """One run, because Gemini CLI takes seconds to start: the rules that fire are three."""
    (project / ".omp/rules/no-raw.md").write_text(
        "---\ncondition: raw_module\ninterruptMode: never\n---\nPut it right.\n"
    )
    (project / ".omp/rules/no-done.md").write_text("---\ncondition: all done\nscope: text\n---\nSay what you ran.\n")
    answers = [
        [gemini_write(project, "deprecated_module")],
        [gemini_write(project, "raw_module")],
        [text("It is all done.")],
        [text("I ran 3 tests.")],
    ]
    process, contents = hooked(project, answers)
    assert json.dumps(contents[1]).count("Use new_module.") == 1
    assert (project / "a.py").read_text() == "import raw_module\n"
    assert "Put it right." in json.dumps(contents[2])
    assert "Say what you ran." in json.dumps(contents[3])
    assert "I ran 3 tests." in process.stdout
    (log,) = (project.parent / "state" / "ttsr-ls").glob("shop-*/*.jsonl")
    assert '"kind":"RuleTriggered"' in log.read_text()


@pytest.mark.parametrize("option", ["--fail-closed", "--no-fail-closed"])
def test_after_the_server_is_killed_the_user_is_warned_and_calls_run_unless_hooks_fail_closed(
    project: Path, option: str
) -> None:
    ours("install", "gemini", option)
    write = [gemini_write(project, "deprecated_module")]
    process, contents = hooked(project, [write, write, [text("Over.")]], KillingModel)
    assert json.dumps(contents[1]).count("Use new_module.") == 1
    is_closed = option == "--fail-closed"
    assert (project / "a.py").exists() != is_closed
    assert ("this call was not checked" in json.dumps(contents[2])) == is_closed
    assert "ttsr-ls: the hook server does not answer, so rules are off. Run: ttsr-ls doctor" in process.stderr
    assert "The hook server was not running" in ours("doctor", "gemini", "--no-agent")


def test_the_doctor_proves_it_with_gemini_itself(project: Path) -> None:
    path = f"{Path(os.environ['TTSR_GEMINI']).parent}:{os.environ['PATH']}"
    command = [*program("doctor"), "gemini"]
    environ = {**os.environ, "PATH": path}
    process = subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=120)
    assert process.returncode == 0, process.stdout
    assert (
        "ok       The agent itself, with a model on loopback, was denied calls that the doctor's rules forbid: "
        in process.stdout
    )
