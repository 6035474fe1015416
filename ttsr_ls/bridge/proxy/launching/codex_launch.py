"""Codex: overrides the base address of its provider for this run. A custom provider uses HTTP, not WebSocket."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

from ttsr_ls.bridge.proxy.launching.agent_config_files import read_json, read_toml
from ttsr_ls.bridge.proxy.launching.launch_plan import AgentCommand, BaseAddress, LaunchPlan, LaunchRequest
from ttsr_ls.bridge.proxy.serving.routes import PUBLIC_UPSTREAMS
from ttsr_ls.bridge.wire.fields import get_text
from ttsr_ls.errors import UsageError
from ttsr_ls.store.settings.json_file import object_in
from ttsr_ls.syntax.settings_locations import CODEX_FOLDER

_CHATGPT = "https://chatgpt.com/backend-api/codex"
_PROVIDER = "ttsr-ls"
_SETTING = ("-c", "--config")
_PROFILE = ("-p", "--profile")
_END_OF_OPTIONS = "--"
_LOCAL = "--oss"
"""Makes Codex ask a model on this machine, whatever its settings are."""
_FIXED_PROVIDERS = frozenset({"amazon-bedrock", "lmstudio", "ollama"})
"""Providers that Codex defines. It refuses settings that change their addresses."""


def codex_plan(request: LaunchRequest) -> LaunchPlan:
    """The plan for Codex: for the provider that its configuration, or the arguments, name.

    Raises UsageError for a provider whose address cannot be changed.
    """
    folder = Path(request.environ.get("CODEX_HOME") or request.home / CODEX_FOLDER)
    config = read_toml(folder / "config.toml")
    chosen = _chosen_profile(request.arguments)
    if chosen:
        _merge(config, read_toml(folder / f"{chosen}.config.toml"))
    for override in _overrides(request.arguments):
        _merge(config, override)
    # Codex before 0.134 reads profiles from tables of config.toml, which override even `-c`.
    profile = chosen or get_text(config, "profile")
    if profile:
        _merge(config, object_in(object_in(config, "profiles"), profile))
    name = get_text(config, "model_provider") or "openai"
    if _LOCAL in _options(request.arguments) or name in _FIXED_PROVIDERS:
        chosen_by = _LOCAL if _LOCAL in _options(request.arguments) else f'model_provider = "{name}"'
        raise UsageError(
            f"with {chosen_by}, Codex would bypass the proxy, and no rule would be enforced; define a provider with "
            "its address in `model_providers` of config.toml, and name it by `-c model_provider=NAME`"
        )
    address = get_text(object_in(object_in(config, "model_providers"), name), "base_url")
    if name == "openai" or not address:
        name, address = _PROVIDER, _openai(request, folder, config)

    def build(base: BaseAddress) -> AgentCommand:
        base_url = json.dumps(base("openai", ""))
        if name != _PROVIDER:
            settings = [f"model_providers.{name}.base_url={base_url}"]
        else:
            own = f'{{name="OpenAI",base_url={base_url},wire_api="responses",requires_openai_auth=true}}'
            settings = [f'model_provider="{_PROVIDER}"', f"model_providers.{_PROVIDER}={own}"]
        return AgentCommand((request.program, *_add_settings(request.arguments, settings)), {})

    return LaunchPlan({"openai": address}, build)


def _openai(request: LaunchRequest, folder: Path, config: dict[str, Any]) -> str:
    """Returns the address at which Codex reaches OpenAI's models: it differs between an account of ChatGPT and
    a key."""
    name = get_text(config, "openai_base_url") or request.environ.get("OPENAI_BASE_URL")
    if name:
        return name
    login = read_json(folder / "auth.json")
    is_account = bool(login.get("tokens")) and not login.get("OPENAI_API_KEY")
    return _CHATGPT if is_account else f"{PUBLIC_UPSTREAMS['openai']}/v1"


def _add_settings(arguments: Sequence[str], settings: Sequence[str]) -> tuple[str, ...]:
    """Returns the arguments with settings after the last `-c`, because the last value of a key counts."""
    place = max((end for end, _ in _values_of(_SETTING, arguments)), default=0)
    return (*arguments[:place], *(part for setting in settings for part in ("-c", setting)), *arguments[place:])


def _chosen_profile(arguments: Sequence[str]) -> str:
    """Returns the last profile that the arguments name; blank without one."""
    return next((name for _, name in reversed(list(_values_of(_PROFILE, arguments)))), "")


def _values_of(names: tuple[str, str], arguments: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yields each value of an option in the arguments, and the position after it: `-c VALUE`, `-cVALUE`, `-c=VALUE`,
    `--config VALUE`, and `--config=VALUE`."""
    short, long = names
    for position, (argument, value) in enumerate(pairwise((*_options(arguments), ""))):
        if argument in names:
            yield position + 2, value
        elif argument.startswith((short, f"{long}=")):
            yield position + 1, argument.removeprefix(long).removeprefix(short).removeprefix("=")


def _options(arguments: Sequence[str]) -> tuple[str, ...]:
    """Returns the arguments before `--`, which may be options."""
    return tuple(takewhile(lambda argument: argument != _END_OF_OPTIONS, arguments))


def _overrides(arguments: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yields the values that the arguments set. A value that is no TOML is a string."""
    for _, setting in _values_of(_SETTING, arguments):
        key, is_setting, source = setting.partition("=")
        for text in (setting, f"{key}={json.dumps(source)}") if is_setting else ():
            with suppress(RecursionError, ValueError):
                yield tomllib.loads(text)
                break


def _merge(config: dict[str, Any], other: dict[str, Any]) -> None:
    for key, value in other.items():
        own = config.get(key)
        if isinstance(own, dict) and isinstance(value, dict):
            _merge(own, value)
        else:
            config[key] = value
