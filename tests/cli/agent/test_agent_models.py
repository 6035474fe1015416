"""The models that arguments and the environment select, and the requests that get keys."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import environment
from ttsr_ls.bridge.model.client import HttpModel
from ttsr_ls.bridge.model.endpoint import Endpoint
from ttsr_ls.bridge.model.script import read_script
from ttsr_ls.bridge.model.scripted import ScriptedModel
from ttsr_ls.cli.agent import command as agent
from ttsr_ls.cli.agent.models import Models, build_models
from ttsr_ls.errors import UsageError
from ttsr_ls.session.output.wire_events import Api

DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [item for item in os.environ if item.startswith("TTSR_LS_")]:
        monkeypatch.delenv(name)
    for name in ("ANTHROPIC", "OPENAI", "GEMINI", "MY"):
        monkeypatch.setenv(f"{name}_API_KEY", f"key of {name}".replace(" ", "-"))


def parsed(*args: str) -> Models:
    parser = argparse.ArgumentParser()
    agent.configure(parser)
    return build_models(parser.parse_args(args))


def asked(model: object) -> tuple[Endpoint, str | None]:
    assert isinstance(model, HttpModel)
    return model._endpoint, model._key


@pytest.mark.parametrize(
    ("args", "api", "url", "key"),
    [
        ((), Api.ANTHROPIC, "https://api.anthropic.com/v1/messages", "key-of-ANTHROPIC"),
        (("--provider", "openai"), Api.OPENAI_CHAT, "https://api.openai.com/v1/chat/completions", "key-of-OPENAI"),
        (("--provider", "openai-responses"), Api.OPENAI_RESPONSES, "https://api.openai.com/v1/responses",
         "key-of-OPENAI"),
        (("--provider", "gemini"), Api.GEMINI,
         "https://generativelanguage.googleapis.com/v1beta/models/m-1:streamGenerateContent?alt=sse", "key-of-GEMINI"),
        (("--base-url", "http://127.0.0.1:1"), Api.ANTHROPIC, "http://127.0.0.1:1/v1/messages", None),
        (("--base-url", "http://x/v1/", "--key-variable", "MY_API_KEY", "--provider", "openai"), Api.OPENAI_CHAT,
         "http://x/v1/chat/completions", "key-of-MY"),
        (("--key-variable", "MY_API_KEY"), Api.ANTHROPIC, "https://api.anthropic.com/v1/messages", "key-of-MY"),
    ],
)  # fmt: skip
def test_arguments_select_the_endpoint_and_the_key(args: tuple[str, ...], api: Api, url: str, key: str | None) -> None:
    found_models = parsed("--model", "m-1", *args)
    endpoint, sent = asked(found_models.model)
    assert (found_models.api, endpoint.url, sent) == (api, url, key)
    assert found_models.judge is None


def test_the_judge_can_have_another_provider_than_the_model() -> None:
    found_models = parsed(
        "--model", "m-1", "--judge", "j-1", "--judge-provider", "openai", "--judge-base-url", "http://j"
    )
    endpoint, key = asked(found_models.judge_model)
    assert (endpoint.api, endpoint.url, endpoint.model, key) == (
        Api.OPENAI_CHAT,
        "http://j/chat/completions",
        "j-1",
        None,
    )


def test_environment_variables_can_name_the_judge(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TTSR_LS_JUDGE", "j-1")
    monkeypatch.setenv("TTSR_LS_JUDGE_PROVIDER", "openai")
    monkeypatch.setenv("TTSR_LS_JUDGE_KEY_VARIABLE", "MY_API_KEY")
    found_models = parsed("--model", "m-1")
    endpoint, key = asked(found_models.judge_model)
    assert (endpoint.model, endpoint.api, key) == ("j-1", Api.OPENAI_CHAT, "key-of-MY")
    assert "MY_API_KEY" in found_models.secrets
    (tmp_path / "script.yaml").write_text("answers: []\njudge: ['{}']")
    assert isinstance(parsed("--script", str(tmp_path / "script.yaml")).judge_model, ScriptedModel)
    monkeypatch.setenv("TTSR_LS_JUDGE_PROVIDER", "nobody")
    with pytest.raises(UsageError, match="TTSR_LS_JUDGE_PROVIDER is nobody; write one of anthropic, openai"):
        parsed("--model", "m-1")


def test_the_http_library_is_imported_only_for_a_request() -> None:
    program = "import sys, ttsr_ls.cli.agent.agent_run; print('aiohttp' in sys.modules)"
    command = [sys.executable, "-c", program]
    process = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True, timeout=60)
    assert process.stdout == "False\n"


def test_the_manual_describes_every_argument() -> None:
    parser = argparse.ArgumentParser()
    agent.configure(parser)
    page = (DOCS / "agent.md").read_text() + (DOCS / "judge.md").read_text()
    options = [option for action in parser._actions for option in action.option_strings if option.startswith("--")]
    assert len(options) > 15
    assert [option for option in options if option not in page and option != "--help"] == []


def test_the_script_in_the_manual_runs() -> None:
    [script] = re.findall(r"^```yaml\n(.*?)^```$", (DOCS / "agent.md").read_text(), re.DOTALL | re.MULTILINE)
    read = read_script(script)
    assert [len(answer) for answer in read.answers] == [5, 2, 1]
    assert len(read.judge) == 1
