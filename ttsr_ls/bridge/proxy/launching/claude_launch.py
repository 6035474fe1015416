"""Claude Code: sets `ANTHROPIC_BASE_URL`, and overrides it in settings where they set it, too."""

from __future__ import annotations

import json
from pathlib import Path

from ttsr_ls.bridge.proxy.launching.agent_config_files import read_json
from ttsr_ls.bridge.proxy.launching.launch_plan import AgentCommand, BaseAddress, LaunchPlan, LaunchRequest
from ttsr_ls.bridge.proxy.serving.routes import PUBLIC_UPSTREAMS
from ttsr_ls.errors import UsageError
from ttsr_ls.syntax.settings_locations import CLAUDE_FOLDER

_VARIABLE = "ANTHROPIC_BASE_URL"
_OTHER_CLOUDS = ("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY")


def claude_plan(request: LaunchRequest) -> LaunchPlan:
    """The plan for Claude Code. Raises UsageError for a provider whose wire the proxy does not speak."""
    settings_environ = _settings_environment(request)
    environ = {**request.environ, **settings_environ}
    for name in _OTHER_CLOUDS:
        if environ.get(name, "0") not in ("", "0", "false"):
            raise UsageError(f"{name} is set, and the proxy does not speak that provider's wire; run the agent without")
    upstream = environ.get(_VARIABLE) or PUBLIC_UPSTREAMS["anthropic"]

    def build(base: BaseAddress) -> AgentCommand:
        address = base("anthropic", "")
        command = (request.program, *request.arguments)
        if _VARIABLE in settings_environ:  # Settings files override the environment, and --settings overrides them.
            settings = json.dumps({"env": {_VARIABLE: address}})
            command = (request.program, "--settings", settings, *request.arguments)
        return AgentCommand(command, {_VARIABLE: address})

    return LaunchPlan({"anthropic": upstream}, build)


def _settings_environment(request: LaunchRequest) -> dict[str, str]:
    """Returns the environment variables in the settings of the user and the project."""
    folder = Path(request.environ.get("CLAUDE_CONFIG_DIR") or request.home / CLAUDE_FOLDER)
    project = request.cwd / CLAUDE_FOLDER
    found: dict[str, str] = {}
    for path in (folder / "settings.json", project / "settings.json", project / "settings.local.json"):
        environ = read_json(path).get("env")
        if isinstance(environ, dict):
            found |= {name: value for name, value in environ.items() if isinstance(value, str)}
    return found
