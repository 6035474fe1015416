"""opencode: configuration for this run that moves the base addresses of its providers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from ttsr_ls.bridge.proxy.launching.agent_config_files import read_json
from ttsr_ls.bridge.proxy.launching.launch_plan import AgentCommand, BaseAddress, LaunchPlan, LaunchRequest
from ttsr_ls.bridge.proxy.serving.routes import PUBLIC_UPSTREAMS

_VARIABLE = "OPENCODE_CONFIG_CONTENT"
_BUILT_IN = {
    "anthropic": f"{PUBLIC_UPSTREAMS['anthropic']}/v1",
    "openai": f"{PUBLIC_UPSTREAMS['openai']}/v1",
    "google": f"{PUBLIC_UPSTREAMS['gemini']}/v1beta",
}
_NOT_IN_NAME = re.compile(r"[^a-z0-9_-]+")


def opencode_plan(request: LaunchRequest) -> LaunchPlan:
    """The plan for opencode: for its own providers of Anthropic, OpenAI, and Google, and those of its configuration."""
    given = _parsed(request.environ.get(_VARIABLE, ""))
    addresses = dict(_BUILT_IN)
    for config in (*map(read_json, _files(request)), given):
        addresses |= _config_addresses(config)
    names = {provider: _NOT_IN_NAME.sub("-", provider.lower())[:40] for provider in addresses}

    def build(base: BaseAddress) -> AgentCommand:
        providers: dict[str, Any] = dict(_table(given, "provider"))
        for provider, name in names.items():
            own = _table(providers, provider)
            providers[provider] = {**own, "options": {**_table(own, "options"), "baseURL": base(name, "")}}
        content = json.dumps({**given, "provider": providers})
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
    for name, provider in _table(config, "provider").items():
        address = _table(provider if isinstance(provider, dict) else {}, "options").get("baseURL")
        if isinstance(address, str):
            found[name] = address
    return found


def _table(value: dict[str, Any], key: str) -> dict[str, Any]:
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def _parsed(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
