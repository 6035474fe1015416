"""Sends calls that break canary rules to the hook server in the form that an agent uses, without the agent."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from ttsr_ls.bridge.agent_hooks.canary.canary_calls import canary_calls, join_titles
from ttsr_ls.bridge.wire.json_lines import parse_object
from ttsr_ls.cli.install.doctor_report import DoctorCheck
from ttsr_ls.cli.install.hook_files import HookFiles
from ttsr_ls.cli.install.live_canary import write_rules
from ttsr_ls.store.hook_server_file import LOOPBACK, HookServerAddress

_EVENTS = {"gemini": "BeforeTool", "cursor": "preToolUse"}


def hook_canary(agent: str, files: HookFiles) -> DoctorCheck:
    """Sends calls that break canary rules in the form that the agent uses, and checks that all are denied."""
    calls, denied, wrong_answer = canary_calls(agent), [], ""
    with tempfile.TemporaryDirectory(prefix="ttsr-doctor-") as name:
        folder = Path(name)
        write_rules(calls, folder)
        base = {"session_id": f"doctor-{os.getpid()}", "conversation_id": f"doctor-{os.getpid()}", "cwd": name}
        for call in calls:
            arguments = {call.argument: call.content(folder)}
            if call.path_argument:
                arguments[call.path_argument] = str(folder / call.file)
            event = {"hook_event_name": _EVENTS.get(agent, "PreToolUse"), "tool_use_id": call.key}
            hook_input = {**base, **event, "tool_name": call.tool, "tool_input": arguments}
            answer = _sent(agent, json.dumps(hook_input), files)
            # Agents ignore an answer that is not a JSON object.
            if call.denial in answer and not isinstance(parse_object(answer.encode()), str):
                denied.append(call)
            else:
                wrong_answer = answer
        ended = "sessionEnd" if agent == "cursor" else "SessionEnd"
        _sent(agent, json.dumps({**base, "hook_event_name": ended}), files)
        files.forget_workspace(folder)
    if len(denied) == len(calls):
        what = f"The hook denies calls that break the doctor's own rules: {join_titles(calls)}."
        return DoctorCheck(what, tries_hooks=True)
    return DoctorCheck(
        "The hook lets calls through that break a rule: "
        f"{join_titles([call for call in calls if call not in denied])}.",
        f"It answered: {wrong_answer[:200] or 'nothing'}. Run `ttsr-ls hooks stop`, then `ttsr-ls install {agent}` and "
        "this command again.",
    )


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
