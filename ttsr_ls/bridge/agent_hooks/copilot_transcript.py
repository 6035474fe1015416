"""Reads the main agent's last answer from a transcript of VS Code or Copilot CLI, whose stop hooks do not send it."""

from __future__ import annotations

import os
import time
from pathlib import Path

import msgspec

from ttsr_ls.bridge.agent_hooks.hook_call import HookCall, HookKind
from ttsr_ls.bridge.wire.fields import get_object, get_text
from ttsr_ls.bridge.wire.json_lines import parse_object
from ttsr_ls.store.files.bounded_file import open_regular

MAX_TAIL = 4 * 1024 * 1024
"""How much of the end of a transcript is read, in bytes."""
MAX_WAIT = 1.0
"""How long an answer that is being written is waited for, in seconds. Copilot CLI writes it after it calls the hook."""
_POLL_INTERVAL = 0.05

_TYPES = (b"assistant.message", b"assistant.turn_start", b"user.message")


def with_last_answer(call: HookCall) -> HookCall:
    """Returns a call with the last answer of the transcript that it names, if its agent stops."""
    if call.text or not call.transcript or call.kind not in {HookKind.STOPPING, HookKind.SUBAGENT_STOPPING}:
        return call
    return msgspec.structs.replace(call, text=last_answer(Path(call.transcript)))


def last_answer(path: Path, max_wait: float = MAX_WAIT) -> str:
    """Returns the text of the main agent's last answer after its last prompt; blank if there is none, or if the
    transcript cannot be read.
    """
    deadline = time.monotonic() + max_wait
    while True:
        try:
            answer = _answer_in(_tail(path))
        except OSError:
            return ""
        if answer is not None or time.monotonic() >= deadline:
            return answer or ""
        time.sleep(_POLL_INTERVAL)


def _answer_in(records: bytes) -> str | None:
    """Returns the text of the last answer; None if an answer began and is not there yet."""
    for line in reversed(records.split(b"\n")):
        if not any(name in line for name in _TYPES):
            continue
        record = parse_object(line)
        # Copilot CLI marks the records of subagents.
        if isinstance(record, str) or "agentId" in record:
            continue
        match record.get("type"):
            case "assistant.message":
                return get_text(get_object(record, "data"), "content")
            case "assistant.turn_start":
                return None
            case "user.message":
                return ""
    return ""


def _tail(path: Path) -> bytes:
    descriptor = open_regular(path)
    with os.fdopen(descriptor, "rb") as file:
        file.seek(max(0, os.fstat(descriptor).st_size - MAX_TAIL))
        return file.read(MAX_TAIL)
