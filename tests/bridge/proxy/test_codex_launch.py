"""The proxy's address reaches Codex whatever form its settings have on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from ttsr_ls.bridge.proxy.launching.codex_launch import codex_plan
from ttsr_ls.bridge.proxy.launching.launch_plan import LaunchRequest
from ttsr_ls.errors import UsageError

OWN = 'model_providers.mine={name="Mine",base_url="https://models.example/v1"}'


@pytest.mark.parametrize(
    "chosen",
    [
        ("-c", "model_provider=mine"),
        ("-cmodel_provider=mine",),
        ("-c=model_provider=mine",),
        ("--config", "model_provider=mine"),
        ("--config=model_provider=mine",),
    ],
)
def test_a_provider_of_the_command_line_is_moved_behind_the_proxy(tmp_path: Path, chosen: tuple[str, ...]) -> None:
    request = LaunchRequest("codex", ["-c", OWN, *chosen, "exec", "hi"], {}, tmp_path, tmp_path, tmp_path)
    plan = codex_plan(request)
    assert plan.upstreams == {"openai": "https://models.example/v1"}
    command = plan.build(lambda name, path: f"http://proxy/{name}{path}").command
    moved = ("-c", 'model_providers.mine.base_url="http://proxy/openai"')
    assert command == ("codex", "-c", OWN, *chosen, *moved, "exec", "hi")


@pytest.mark.parametrize("value", ["1" * 5_000, "[" * 5_000])
def test_values_that_toml_cannot_hold_are_ignored(tmp_path: Path, value: str) -> None:
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex" / "config.toml").write_text(f"a = {value}\n", encoding="utf-8")
    request = LaunchRequest("codex", ["-c", f"a={value}", "-c", OWN, "-c", "model_provider=mine"], {}, *[tmp_path] * 3)
    assert codex_plan(request).upstreams == {"openai": "https://models.example/v1"}


@pytest.mark.parametrize(
    "chosen", [("-p", "work"), ("-pwork",), ("-p=work",), ("--profile", "work"), ("--profile=work",)]
)
@pytest.mark.parametrize(
    ("file", "prefix"), [("work.config.toml", ""), ("config.toml", "[profiles.work]\n")], ids=["file", "table"]
)
def test_the_provider_of_a_profile_is_moved_behind_the_proxy(
    tmp_path: Path, chosen: tuple[str, ...], file: str, prefix: str
) -> None:
    folder = tmp_path / ".codex"
    folder.mkdir()
    (folder / "config.toml").write_text('model_provider = "other"\n', encoding="utf-8")
    with (folder / file).open("a", encoding="utf-8") as opened:
        opened.write(f'{prefix}model_provider = "mine"\n')
    request = LaunchRequest("codex", ["-c", OWN, *chosen, "exec", "hi"], {}, tmp_path, tmp_path, tmp_path)
    plan = codex_plan(request)
    assert plan.upstreams == {"openai": "https://models.example/v1"}
    moved = ("-c", 'model_providers.mine.base_url="http://proxy/openai"')
    command = plan.build(lambda name, path: f"http://proxy/{name}{path}").command
    assert command == ("codex", "-c", OWN, *moved, *chosen, "exec", "hi")


def test_a_setting_of_the_command_line_overrides_the_file_of_a_profile(tmp_path: Path) -> None:
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex" / "work.config.toml").write_text('model_provider = "other"\n', encoding="utf-8")
    arguments = ["-p", "work", "-c", OWN, "-c", "model_provider=mine"]
    plan = codex_plan(LaunchRequest("codex", arguments, {}, tmp_path, tmp_path, tmp_path))
    assert plan.upstreams == {"openai": "https://models.example/v1"}


def test_words_after_the_end_of_the_options_are_no_settings(tmp_path: Path) -> None:
    arguments = ["exec", "-c", OWN, "-c", "model_provider=mine", "--", "-c", "model_provider=other"]
    plan = codex_plan(LaunchRequest("codex", arguments, {}, tmp_path, tmp_path, tmp_path))
    assert plan.upstreams == {"openai": "https://models.example/v1"}
    moved = ("-c", 'model_providers.mine.base_url="http://proxy/openai"')
    command = plan.build(lambda name, path: f"http://proxy/{name}{path}").command
    assert command == ("codex", *arguments[:5], *moved, *arguments[5:])


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        (["--oss"], "--oss"),
        (["exec", "--oss", "-c", OWN, "-c", "model_provider=mine"], "--oss"),
        (["-c", "model_provider=ollama"], 'model_provider = "ollama"'),
        (["-c", "model_provider=lmstudio"], 'model_provider = "lmstudio"'),
        (["-c", "model_provider=amazon-bedrock"], 'model_provider = "amazon-bedrock"'),
    ],
)
def test_a_provider_whose_address_is_fixed_is_refused(tmp_path: Path, arguments: list[str], cause: str) -> None:
    with pytest.raises(UsageError, match=f"^with {cause}, Codex would bypass the proxy"):
        codex_plan(LaunchRequest("codex", arguments, {}, tmp_path, tmp_path, tmp_path))


def test_a_prompt_may_have_the_name_of_an_option(tmp_path: Path) -> None:
    request = LaunchRequest("codex", ["exec", "--", "--oss"], {}, tmp_path, tmp_path, tmp_path)
    assert codex_plan(request).upstreams == {"openai": "https://api.openai.com/v1"}
