"""The proxy's address reaches Codex whatever form its settings have on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from ttsr_ls.bridge.proxy.launching.codex_launch import codex_plan
from ttsr_ls.bridge.proxy.launching.launch_plan import LaunchRequest

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
