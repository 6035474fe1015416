"""pi: an extension for this run that moves the base addresses of its providers."""

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
from ttsr_ls.errors import UsageError
from ttsr_ls.store.settings.json_file import object_in
from ttsr_ls.syntax.dialects.locations import PI_RULES

_BUILT_IN = {
    "anthropic": PUBLIC_UPSTREAMS["anthropic"],
    "openai": f"{PUBLIC_UPSTREAMS['openai']}/v1",
    "google": f"{PUBLIC_UPSTREAMS['gemini']}/v1beta",
}
_EXTENSION = "export default function (pi) {{\n{}\n}}\n"


def pi_plan(request: LaunchRequest) -> LaunchPlan:
    """The plan for pi: for its own providers of Anthropic, OpenAI, and Google, and those that `models.json` adds."""
    folder = Path(request.environ.get("PI_CODING_AGENT_DIR") or request.home / PI_RULES.folders[0] / "agent")
    addresses = _BUILT_IN | _model_addresses(read_json(folder / "models.json"))
    names = {provider: upstream_name(provider) for provider in addresses}
    upstreams = {names[provider]: address for provider, address in addresses.items()}

    def build(base: BaseAddress) -> AgentCommand:
        lines = (
            f"  pi.registerProvider({json.dumps(provider)}, {{ baseUrl: {json.dumps(base(name, ''))} }});"
            for provider, name in names.items()
        )
        extension = request.scratch / "ttsr-ls-proxy.js"
        try:
            extension.write_text(_EXTENSION.format("\n".join(lines)))
        except OSError as error:
            raise UsageError(f"cannot write {extension}: {error.strerror}") from error
        return AgentCommand((request.program, "--extension", str(extension), *request.arguments), {})

    other = "Providers of pi other than anthropic, openai, google, and those of models.json do not pass the proxy."
    return LaunchPlan(upstreams, build, (other,))


def _model_addresses(models: dict[str, Any]) -> dict[str, str]:
    providers = object_in(models, "providers")
    addresses = {name: object_in(providers, name).get("baseUrl") for name in providers}
    return {name: address for name, address in addresses.items() if isinstance(address, str)}
