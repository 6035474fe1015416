"""`ttsr-ls agent` as a process of its own, with a provider on loopback: keys, prompts after a failure, the log."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from tests.bridge.model.loopback import Provider, provider
from tests.bridge.wire.provider_answers import answer
from tests.fork_server import program
from ttsr_ls.session.history.turn_output import Text
from ttsr_ls.session.output.wire_events import Api

ROOT = Path(__file__).parents[2]
PROVIDERS = {
    "anthropic": Api.ANTHROPIC,
    "openai": Api.OPENAI_CHAT,
    "openai-responses": Api.OPENAI_RESPONSES,
    "gemini": Api.GEMINI,
}


async def run(folder: Path, server: Provider, name: str, *args: str, typed: str) -> tuple[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")}
    keys = {
        "ANTHROPIC_API_KEY": "not-for-you",
        "OPENAI_API_KEY": "not-for-you",
        "GEMINI_API_KEY": "not-for-you",
        "MY_KEY": "for-you",
    }
    process = await asyncio.create_subprocess_exec(
        *(*program("agent"), "--provider", name, "--model", "m-1", "--base-url", server.url),
        *args,
        cwd=folder,
        env={**kept, **keys, "PYTHONPATH": str(ROOT), "HOME": str(folder), "XDG_STATE_HOME": str(folder / "state")},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(typed.encode()), 60)
    assert process.returncode == 0
    return out.decode(), err.decode()


@pytest.mark.parametrize("name", PROVIDERS)
async def test_a_prompt_after_a_failure_is_answered(name: str, tmp_path: Path) -> None:
    async with provider((400, "broken"), answer(PROVIDERS[name], [Text("Here I am.")], list)) as server:
        out, err = await run(tmp_path, server, name, typed="hello\nstill there?\n")
    assert err == ""
    assert "refused with status 400: broken" in out
    assert out.endswith("Here I am.\n> \n")
    assert not [
        key
        for asked in server.asked
        for key in ("x-api-key", "authorization", "x-goog-api-key")
        if key in asked.headers
    ]
    assert "still there?" in str(server.asked[1].body)
    [log] = (tmp_path / "state").rglob("*.jsonl")
    assert "for-you" not in log.read_text()


async def test_the_key_of_the_key_variable_is_sent(tmp_path: Path) -> None:
    async with provider(answer(Api.OPENAI_CHAT, [Text("Hi.")])) as server:
        out, _ = await run(tmp_path, server, "openai", "--key-variable", "MY_KEY", "-p", "hello", typed="")
    assert out == "> hello\nHi.\n"
    assert server.asked[0].headers["authorization"] == "Bearer for-you"
