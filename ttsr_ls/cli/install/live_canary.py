"""Tests a real agent, with its own settings and hooks: a scripted model on loopback makes it break canary rules."""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from ttsr_ls.bridge.agent_hooks.canary.canary_calls import CanaryCall
from ttsr_ls.bridge.agent_hooks.canary.canary_model import CanaryModel
from ttsr_ls.syntax.dialects.locations import PROJECT_RULES
from ttsr_ls.syntax.settings_locations import GEMINI_FOLDER

_TIMEOUT = 90.0

_MODEL = {
    "ANTHROPIC_API_KEY": "canary",
    "GEMINI_API_KEY": "canary",
    "GEMINI_CLI_TRUST_WORKSPACE": "true",
    "TTSR_CANARY_KEY": "canary",
}
"""The environment in which agents ask the canary model, without its addresses."""

_CODEX_MODEL = "gpt-5.5"
"""Codex offers its tool `apply_patch` only to models that it knows."""

_UNSAVED = {"claude": ["--no-session-persistence"], "codex": ["--ephemeral"]}
"""The options with which agents leave no session of the doctor in their user's history."""


def try_calls(
    agent: str,
    program: str,
    calls: Sequence[CanaryCall],
    project_settings: Mapping[str, str],
    forget: Callable[[Path], None],
) -> TriedCalls | str:
    """Returns which forbidden calls the agent made, and which it was not denied; a sentence if the test could not run.

    `project_settings` are the texts of the project's own settings by their paths in it. They are copied to the scratch
    folder in which the agent runs. `forget` removes the logs of a scratch folder.
    """
    with tempfile.TemporaryDirectory(prefix="ttsr-doctor-") as folder:
        try:
            for name, text in project_settings.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return asyncio.run(_tried(agent, str(Path(program).absolute()), calls, Path(folder)))
        finally:
            forget(Path(folder))


def write_rules(calls: Sequence[CanaryCall], folder: Path) -> None:
    """Writes the rules that the calls break into the project in `folder`."""
    rules = folder.joinpath(*PROJECT_RULES.folders)
    rules.mkdir(parents=True)
    for call in calls:
        (rules / f"ttsr-canary-{call.key}.md").write_text(call.rule, encoding="utf-8")


class TriedCalls(Struct, frozen=True):
    """The calls that the model made the agent try, and those of them that were not denied."""

    made: tuple[CanaryCall, ...]
    undenied: tuple[CanaryCall, ...]


async def _tried(agent: str, program: str, calls: Sequence[CanaryCall], folder: Path) -> TriedCalls | str:
    write_rules(calls, folder)
    (folder / ".git").mkdir()
    if agent == "gemini":
        # Makes Gemini CLI use the canary's key instead of the account of its user.
        settings = folder / GEMINI_FOLDER / "settings.json"
        settings.parent.mkdir(exist_ok=True)
        settings.write_text('{"security": {"auth": {"selectedType": "gemini-api-key"}}}', encoding="utf-8")
    model = CanaryModel(calls, folder)
    async with model.serve() as url:
        environ = {**os.environ, **_MODEL, "ANTHROPIC_BASE_URL": url, "GOOGLE_GEMINI_BASE_URL": url}
        try:
            process = await asyncio.create_subprocess_exec(
                program,
                *_arguments(agent, url),
                cwd=folder,
                env=environ,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
            )
        except OSError as error:
            return f"it cannot be started: {error.strerror}"
        try:
            output, _ = await asyncio.wait_for(process.communicate(), _TIMEOUT)
        except TimeoutError:
            process.kill()
            await process.wait()
            return f"it did not end within {_TIMEOUT:.0f} s"
    if not model.made:
        lines = output.decode("utf-8", "replace").strip().splitlines()
        return f"it did not ask the model: {lines[-1] if lines else 'no output'}"
    made = tuple(model.made)
    return TriedCalls(made, tuple(c for c in made if not model.was_denied(c) or (folder / c.file).exists()))


def _arguments(agent: str, url: str) -> list[str]:
    if agent == "claude":
        # Settings of the user and of the project can name another address of the model; these override them.
        overriding = json.dumps({"env": {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": _MODEL["ANTHROPIC_API_KEY"]}})
        return ["-p", "Write the file.", "--permission-mode", "acceptEdits", *_UNSAVED[agent], "--settings", overriding]
    if agent == "gemini":
        return ["-p", "Write the file.", "-y", "-m", "gemini-2.5-pro"]
    provider = f'{{name="canary",base_url="{url}/v1",env_key="TTSR_CANARY_KEY",wire_api="responses"}}'
    settings = ["-c", 'model_provider="canary"', "-c", f"model_providers.canary={provider}", "-m", _CODEX_MODEL]
    return ["exec", "--skip-git-repo-check", *_UNSAVED[agent], "-s", "danger-full-access", *settings, "Write the file."]
