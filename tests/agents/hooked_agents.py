"""Processes of real agents and of ttsr-ls, and the calls that a model makes in Codex."""

from __future__ import annotations

import os
import subprocess
from typing import Any

from tests.agents.responses_server import ResponsesServer
from tests.fork_server import program


def ours(command: str, *arguments: str) -> str:
    return subprocess.run(
        [*program(command), *arguments], capture_output=True, text=True, check=True, timeout=60
    ).stdout


def theirs(variable: str, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [os.environ[variable], *arguments],
        env={**os.environ, **environ},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def codex_writes(module: str) -> dict[str, Any]:
    return {"cmd": f"printf 'import {module}\\n' > a.py"}


def patch_of_a_file(module: str) -> str:
    return f"*** Begin Patch\n*** Add File: a.py\n+import {module}\n*** End Patch"


def codex_patches(module: str) -> dict[str, Any]:
    return {"input": patch_of_a_file(module)}


def codex_patches_in_its_shell(module: str) -> dict[str, Any]:
    return {"cmd": f"apply_patch <<'EOF'\n{patch_of_a_file(module)}\nEOF\n"}


def codex(server: ResponsesServer, model: str = "m") -> subprocess.CompletedProcess[str]:
    provider = f'{{name="ours",base_url="{server.url}/v1",env_key="OUR_KEY",wire_api="responses"}}'
    settings = ["-c", 'model_provider="ours"', "-c", f"model_providers.ours={provider}", "-m", model]
    command = ["exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "-s", "danger-full-access"]
    try:
        return theirs("TTSR_CODEX", *command, *settings, "Write a.py", OUR_KEY="none")
    finally:
        server.close()
