"""Secrets of the environment do not reach the model through tools."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.agent.agent_session import running
from ttsr_ls.agent.secrets import Secrets
from ttsr_ls.agent.view import ToolReturned
from ttsr_ls.bridge.model.script import CallTool, SayText
from ttsr_ls.bridge.model.scripted import ScriptedModel
from ttsr_ls.session.output.wire_events import Api

KEY = "sk-ant-0123456789"


@pytest.mark.parametrize(
    ("name", "is_masked"),
    [("ANTHROPIC_API_KEY", True), ("MY_MODEL", True), ("GITHUB_TOKEN", True), ("DB_PASSWORD", True),
     ("AWS_SECRET_ACCESS_KEY", True), ("apikey", True), ("KEYBOARD", False), ("HOME", False), ("TOKENIZER", False),
     ("PGPASSWORD", True), ("GITHUBTOKEN", True), ("API_KEYS", True), ("DJANGO_SECRETS", True), ("SecretKey", True)],
)  # fmt: skip
def test_variables_named_like_secrets_are_masked(name: str, is_masked: bool) -> None:
    secrets = Secrets.from_environment({name: KEY}, ["MY_MODEL"])
    assert secrets.mask(f"a {KEY} b") == (f"a [value of {name}] b" if is_masked else f"a {KEY} b")


def test_short_values_are_kept_and_longer_ones_masked_first() -> None:
    secrets = Secrets.from_environment({"A_KEY": "abc", "B_KEY": "abcdefgh", "C_KEY": "abcdefghij", "D_KEY": "  "}, [])
    assert secrets.mask("abc abcdefghij abcdefgh") == "abc [value of C_KEY] [value of B_KEY]"


def test_a_long_line_of_a_value_is_masked_alone() -> None:
    line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDb8a7j"
    key = f"-----BEGIN PRIVATE KEY-----\n{line}\nxyz\n-----END PRIVATE KEY-----\n"
    secrets = Secrets.from_environment({"DEPLOY_KEY": key}, [])
    assert secrets.mask(f"a\n{key}") == "a\n[value of DEPLOY_KEY]\n"
    assert secrets.mask(f"a\n{line}\nxyz") == "a\n[value of DEPLOY_KEY]\nxyz"


@pytest.mark.parametrize(
    ("head", "tail", "expected"),
    [("a sk-ant-01", "456789 b", ("a ", " b")), ("a sk-ant-012345678", "b", ("a ", "b")), ("sk-a", "789", ("", "789")),
     (f"a {KEY}", f"{KEY} b", (f"a {KEY}", f"{KEY} b")), ("a sk-", "89 b", ("a sk-", "89 b")), ("", "", ("", ""))],
)  # fmt: skip
def test_a_cut_value_is_removed(head: str, tail: str, expected: tuple[str, str]) -> None:
    secrets = Secrets.from_environment({"API_KEY": KEY, "OTHER_KEY": "unrelated value"}, [])
    assert (secrets.without_cut_end(head), secrets.without_cut_start(tail)) == expected


async def test_results_of_tools_are_masked_for_the_model_and_on_the_screen(tmp_path: Path) -> None:
    calls = (
        CallTool("bash", {"command": "cat .env"}),
        CallTool("read", {"path": ".env"}),
        CallTool("read", {"path": KEY}),
    )
    model = ScriptedModel(((*calls,), (SayText(("Done.",)),)))
    async with running(tmp_path, Api.ANTHROPIC, model, secrets=Secrets.from_environment({"API_KEY": KEY}, [])) as run:
        (tmp_path / "work" / ".env").write_text(f"API_KEY={KEY}\n")
        await run.agent.turn("Look.")
        returned = [view.text for view in run.of(ToolReturned)]
        results = [item.state for step in run.session.turns[-1].steps for item in getattr(step.content, "items", ())]
    assert returned[:2] == ["API_KEY=[value of API_KEY]\n"] * 2
    assert KEY not in "".join(returned)
    assert len(results) == 3
    assert KEY not in json.dumps([str(result) for result in results])
