"""opencode: configuration for this run that moves the base addresses of its providers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ttsr_ls.bridge.proxy.launching.agent_config_files import read_json
from ttsr_ls.bridge.proxy.launching.launch_plan import (
    AgentCommand,
    BaseAddress,
    LaunchPlan,
    LaunchRequest,
    upstream_name,
)
from ttsr_ls.bridge.proxy.serving.routes import PUBLIC_UPSTREAMS
from ttsr_ls.bridge.wire.json_lines import parse_text
from ttsr_ls.store.settings.json_file import object_in

_VARIABLE = "OPENCODE_CONFIG_CONTENT"
_BUILT_IN = {
    "anthropic": f"{PUBLIC_UPSTREAMS['anthropic']}/v1",
    "openai": f"{PUBLIC_UPSTREAMS['openai']}/v1",
    "google": f"{PUBLIC_UPSTREAMS['gemini']}/v1beta",
}


def opencode_plan(request: LaunchRequest) -> LaunchPlan:
    """The plan for opencode: for its own providers of Anthropic, OpenAI, and Google, and those of its configuration."""
    inline_config = parse_text(request.environ.get(_VARIABLE, "")) or {}
    addresses = dict(_BUILT_IN)
    for config in (*map(read_json, _files(request)), inline_config):
        addresses |= _config_addresses(config)
    names = {provider: upstream_name(provider) for provider in addresses}

    def build(base: BaseAddress) -> AgentCommand:
        providers: dict[str, Any] = dict(object_in(inline_config, "provider"))
        for provider, name in names.items():
            own = object_in(providers, provider)
            providers[provider] = {**own, "options": {**object_in(own, "options"), "baseURL": base(name, "")}}
        content = json.dumps({**inline_config, "provider": providers})
        return AgentCommand((request.program, *request.arguments), {_VARIABLE: content})

    other = (
        "Providers of opencode other than anthropic, openai, google, and those of opencode.json do not pass the proxy."
    )
    return LaunchPlan({names[item]: address for item, address in addresses.items()}, build, (other,))


def _files(request: LaunchRequest) -> list[Path]:
    config = Path(request.environ.get("XDG_CONFIG_HOME") or request.home / ".config") / "opencode"
    paths = [config / "opencode.json", config / "opencode.jsonc"]
    name = request.environ.get("OPENCODE_CONFIG")
    if name:
        paths.append(Path(name))
    return [*paths, request.cwd / "opencode.json", request.cwd / "opencode.jsonc"]


def _config_addresses(config: dict[str, Any]) -> dict[str, str]:
    found = {}
    providers = object_in(config, "provider")
    for name in providers:
        address = object_in(object_in(providers, name), "options").get("baseURL")
        if isinstance(address, str):
            found[name] = address
    return found
