"""Triggers of silenced rules in hooks: those of the judge are counted with those of conditions."""

from __future__ import annotations

from pathlib import Path

import pytest
from aiohttp.test_utils import TestClient, TestServer

from ttsr_ls.bridge.agent_hooks.server import HookServer
from ttsr_ls.features.judge.judge import JudgeAnswer
from ttsr_ls.session.history.suppressed import SuppressedRule, Suppression, TriggersSuppressed
from ttsr_ls.session.history.turn_fold import fold
from ttsr_ls.store.log.reader import read_log
from ttsr_ls.store.log.session_dirs import workspace_folder, workspace_root
from ttsr_ls.store.noise_file import StoredNoise, StoredSilence, write_noise


class FoundBroken:
    """A judge that finds every rule broken."""

    async def ask(self, prompt: str) -> JudgeAnswer:
        return JudgeAnswer('{"1": 1.0}')


@pytest.mark.parametrize("goes_on", [True, False])
async def test_triggers_that_the_judge_suppresses_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, goes_on: bool
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    rules = tmp_path / "shop" / ".omp" / "rules"
    rules.mkdir(parents=True)
    (rules / "no-old.md").write_text("---\ncondition: deprecated_module\nscope: text\n---\nUse new_module.\n")
    (rules / "polite.md").write_text("---\nquestion: Is it rude?\nscope: text\n---\nBe polite.\n")
    logs = workspace_folder(tmp_path / "state", workspace_root(tmp_path / "shop"))
    logs.mkdir(parents=True)
    write_noise(logs, StoredNoise((StoredSilence("no-old"), StoredSilence("polite"))))
    server = HookServer("T", lambda _: None, judge=FoundBroken())
    async with TestClient(TestServer(server.application())) as client:

        async def hook(event: str, path: str = "/claude", **fields: str) -> str:
            call = {"session_id": "s1", "cwd": str(tmp_path / "shop"), "hook_event_name": event, **fields}
            async with client.post(path, json=call, headers={"Authorization": "Bearer T"}) as response:
                assert response.status == 200
                return await response.text()

        await hook("UserPromptSubmit", prompt="Go")
        fields = {"last_assistant_message": "I used deprecated_module, you fool."}
        assert await hook("Stop", **fields) == "{}"
        # The judge answers after the turn.
        assert await hook("Stop", "/claude/judge", **fields) == ""
        if goes_on:
            await hook("UserPromptSubmit", prompt="And now?")
        await hook("SessionEnd")
    (log,) = logs.glob("*.jsonl")
    events = [record.event for record in read_log(log).records]
    assert not fold(events).problems
    assert [event.rules for event in events if isinstance(event, TriggersSuppressed)] == [
        (SuppressedRule("no-old", Suppression.SILENCED, 1),),
        (SuppressedRule("polite", Suppression.SILENCED, 1),),
    ]
