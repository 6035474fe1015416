"""The reference agent over its RPC mode, with a home and a project folder of its own; stdlib only."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

PROVIDER = """providers:
  local:
    baseUrl: {url}
    apiKey: none
    api: anthropic-messages
    models:
      - {{id: scripted, name: scripted, reasoning: true, contextWindow: 4000000, maxTokens: 8000}}
"""
OPTIONS = "--mode rpc --model local/scripted --no-title --no-lsp --no-skills --no-extensions --auto-approve"
PATIENCE = 30.0
"""Seconds without any event after which something is wrong."""


def ending_of(version: str) -> str:
    """The event after which nothing more comes of a prompt. Since 18.3 a session can go on after `agent_end`."""
    major, minor = version.rpartition("/")[2].split(".")[:2]
    return "session_settled" if (int(major), int(minor)) >= (18, 3) else "agent_end"


class RpcAgent:
    """One process of the agent, which is one session.

    `on_event` is called for each event, from another thread; `ending` is the event that says that a prompt is over.
    """

    def __init__(
        self,
        omp: Path,
        ending: str,
        root: Path,
        url: str,
        files: Mapping[str, str],
        on_event: Callable[[dict[str, Any]], None],
    ) -> None:
        self._ending = ending
        given = {**files, "home/.omp/agent/models.yml": PROVIDER.format(url=url)}
        for name, text in given.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self._on_event = on_event
        self._ends: queue.Queue[bool] = queue.Queue()
        self._process = subprocess.Popen(
            [omp, *OPTIONS.split(), "--tools", "write,edit,bash", "--thinking", "low"],
            cwd=root / "project",
            env={"PATH": os.environ["PATH"], "HOME": str(root / "home"), "NO_COLOR": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )
        threading.Thread(target=self._read, daemon=True).start()

    def prompt(self, text: str) -> None:
        """Has the agent answer, and waits until it has no more to do."""
        self._send({"type": "prompt", "message": text})
        if not self._ends.get(timeout=PATIENCE):
            raise RuntimeError("the agent ended in the middle of a prompt")

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdin is not None
        self._process.stdin.close()

    def _send(self, command: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout:
            for line in self._process.stdout:
                event = json.loads(line)
                self._on_event(event)
                if event["type"] == self._ending and not event.get("willContinue"):
                    self._ends.put(True)
        self._ends.put(False)
