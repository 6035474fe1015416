"""The examples run as they are, with the real SDKs, against a provider on loopback."""

from __future__ import annotations

import ast
import asyncio
import json
import os
from pathlib import Path

import pytest

from tests.bridge.model.loopback import provider
from tests.bridge.wire.provider_answers import answer, arguments
from tests.fork_server import script
from ttsr_ls.session.history.turn_events import InjectionCommitted, OutputInterrupted
from ttsr_ls.session.history.turn_output import Text, ToolCall
from ttsr_ls.session.output.wire_events import Api
from ttsr_ls.store.log.reader import read_log

ROOT = Path(__file__).parents[2]
EXAMPLES = {
    "anthropic_sdk": (Api.ANTHROPIC, "m-1"),
    "guarded_reads": (Api.ANTHROPIC, "m-1"),
    "openai_sdk": (Api.OPENAI_CHAT, "m-1"),
    "openai_responses": (Api.OPENAI_RESPONSES, "m-1"),
    "pydantic_ai_models": (Api.OPENAI_CHAT, "openai-chat:m-1"),
}
SDKS = ("anthropic", "openai", "pydantic_ai.models.openai", "ttsr_ls.bridge.host.session")
"""What examples import, which takes longer than they run."""
LOOP = 15
"""The most lines that an example may need for a session."""


def test_every_example_is_run() -> None:
    assert {path.stem for path in (ROOT / "examples").glob("*.py")} == set(EXAMPLES)


def by_words(text: str) -> list[str]:
    return [text[place : place + 4] for place in range(0, len(text), 4)]


@pytest.mark.parametrize("name", EXAMPLES)
async def test_a_rule_interrupts_the_answer_and_the_example_continues(name: str, tmp_path: Path) -> None:
    api, model = EXAMPLES[name]
    (tmp_path / ".omp" / "rules").mkdir(parents=True)
    (tmp_path / ".omp" / "rules" / "sure.md").write_text("---\ncondition: '\\bSurely\\b'\n---\nLook first.\n")
    (tmp_path / "notes.txt").write_text("Twelve.")
    answers = [
        answer(api, [Text("I think so. Surely it is ten.")], by_words),
        answer(api, [Text("I look. "), ToolCall("c_1", "read", arguments(path="notes.txt"))], by_words),
        answer(api, [Text("It is twelve.")], by_words),
    ]
    async with provider(*answers) as server:
        status, out, err = await run(name, tmp_path, server.url, model)
    assert (status, err) == (0, "")
    assert out.endswith("I look. It is twelve.\n")
    assert "ten" not in out
    asked = [json.dumps(asked.body) for asked in server.asked]
    assert len(asked) == 3
    assert "Look first." not in asked[0]
    assert "Look first." in asked[1]
    assert "Surely" not in asked[1]
    assert "Twelve." in asked[2]
    kinds = [type(record.event) for record in read_log(tmp_path / "session.jsonl").records]
    assert kinds.count(OutputInterrupted) == kinds.count(InjectionCommitted) == 1


async def test_a_feature_decides_about_calls_before_they_run(tmp_path: Path) -> None:
    (tmp_path / ".omp" / "rules").mkdir(parents=True)
    (tmp_path / ".env").write_text("KEY=secret")
    (tmp_path / "notes.txt").write_text("Twelve.")
    calls = [ToolCall("c_1", "read", arguments(path=".env")), ToolCall("c_2", "read", arguments(path="/etc/notes.txt"))]
    answers = [answer(Api.ANTHROPIC, calls, by_words), answer(Api.ANTHROPIC, [Text("It is twelve.")], by_words)]
    async with provider(*answers) as server:
        status, out, err = await run("guarded_reads", tmp_path, server.url, "m-1")
    assert (status, err, out) == (0, "", "It is twelve.\n")
    denied, changed = server.asked[1].body["messages"][-1]["content"]
    assert denied["is_error"]
    assert "Files with secrets are not read." in json.dumps(denied)
    assert 'secret"' not in json.dumps(server.asked[1].body)
    notice, own = changed["content"]
    assert "input_changed" in notice["text"]
    assert own["text"] == "Twelve."


async def run(name: str, folder: Path, url: str, model: str) -> tuple[int | None, str, str]:
    environment = {
        **{key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")},
        "PYTHONPATH": str(ROOT),
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "none",
        "OPENAI_BASE_URL": f"{url}/v1",
        "OPENAI_API_KEY": "none",
        "MODEL": model,
        "PYTHONWARNINGS": "ignore",  # What SDKs say of each other.
    }
    process = await asyncio.create_subprocess_exec(
        *script(ROOT / "examples" / f"{name}.py", *SDKS),
        "How much is it?",
        cwd=folder,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(), 120)
    return process.returncode, out.decode(), err.decode()


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_loop_is_short(name: str) -> None:
    tree = ast.parse((ROOT / "examples" / f"{name}.py").read_text())
    [main] = [node for node in tree.body if isinstance(node, ast.AsyncFunctionDef) and node.name == "main"]
    [loop] = [node for node in main.body if isinstance(node, ast.AsyncWith)]
    assert loop.end_lineno is not None
    assert loop.end_lineno - loop.lineno + 1 <= LOOP
