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
