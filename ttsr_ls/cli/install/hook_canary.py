"""Sends a call that breaks a canary rule to the hook server, the way that an agent does, without the agent."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from ttsr_ls.bridge.adapters.wire_values import parse_object
from ttsr_ls.bridge.agent_hooks.canary import CANARY, CANARY_RULE
from ttsr_ls.cli.install.doctor_report import DoctorCheck
from ttsr_ls.cli.install.hook_files import HookFiles
from ttsr_ls.store.hook_server_file import LOOPBACK, HookServerAddress
from ttsr_ls.syntax.dialects.locations import PROJECT_RULES

_EVENTS = {"gemini": "BeforeTool", "cursor": "preToolUse"}


def hook_canary(agent: str, files: HookFiles) -> DoctorCheck:
    """Sends a call that breaks a canary rule the way that the agent does."""
    with tempfile.TemporaryDirectory(prefix="ttsr-doctor-") as folder:
        rules = Path(folder).joinpath(*PROJECT_RULES.folders)
        rules.mkdir(parents=True)
        (rules / "ttsr-canary.md").write_text(CANARY_RULE, encoding="utf-8")
        call = {
            "session_id": f"doctor-{os.getpid()}",
            "conversation_id": f"doctor-{os.getpid()}",
            "cwd": folder,
            "hook_event_name": _EVENTS.get(agent, "PreToolUse"),
            "tool_name": "Write",
            "tool_input": {"file_path": f"{folder}/canary.txt", "content": CANARY},
            "tool_use_id": "canary",
        }
        answer = _sent(agent, json.dumps(call), files)
        ended = "sessionEnd" if agent == "cursor" else "SessionEnd"
        _sent(agent, json.dumps(call | {"hook_event_name": ended}), files)
        files.forget_workspace(Path(folder))
    # An agent takes for no answer what is not a JSON object.
    if f"{CANARY}_denied" in answer and not isinstance(parse_object(answer.encode()), str):
        return DoctorCheck("The hook denies a call that breaks the doctor's own rule.")
    return DoctorCheck("The hook lets a call through that breaks a rule.", f"It answered: {answer[:200] or 'nothing'}")


def _sent(agent: str, hook_input: str, files: HookFiles) -> str:
    if agent == "claude":
        return _posted(files.server, hook_input)
    try:
        process = subprocess.run(
            [str(files.client), agent], input=hook_input, capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return process.stdout


def _posted(server: HookServerAddress, body: str) -> str:
    import http.client

    connection: Any = http.client.HTTPConnection(LOOPBACK, server.port, timeout=30)
    headers = {"Content-Type": "application/json", "Authorization": server.authorization}
    try:
        connection.request("POST", "/claude", body, headers)
        return str(connection.getresponse().read().decode("utf-8", "replace"))
    except (OSError, http.client.HTTPException) as error:
        return str(error)
    finally:
        connection.close()
