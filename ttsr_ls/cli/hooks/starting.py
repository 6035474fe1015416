"""Starts and stops the hook server, and reads its state."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from typing import Any

from ttsr_ls.errors import UsageError
from ttsr_ls.store.hook_server_file import LOOPBACK, SERVICE, HookServerAddress

_ANSWERS_WITHIN = 2.0
_STARTS_WITHIN = 30.0
"""Seconds; on an idle machine it is half of one. An agent waits less for the hook that starts the server."""
_PAUSE = 0.05

_STARTED: list[subprocess.Popen[bytes]] = []
"""Servers that this process started. They go on after it; Python warns of such processes that nothing refers to."""


def server_state(address: HookServerAddress) -> dict[str, Any] | None:
    """The state that the running server reports; None if no server of this version of ttsr-ls answers."""
    return _state_at(address, "/")


def _state_at(address: HookServerAddress, path: str) -> dict[str, Any] | None:
    connection = http.client.HTTPConnection(LOOPBACK, address.port, timeout=_ANSWERS_WITHIN)
    try:
        connection.request("GET", path, headers={"Authorization": address.authorization})
        response = connection.getresponse()
        found = json.loads(response.read(65536)) if response.status == 200 else None
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        connection.close()
    return found if isinstance(found, dict) and found.get("service") == SERVICE else None


def ensure_running(address: HookServerAddress) -> None:
    """Starts the server as a background process unless it is running. Raises UsageError."""
    if server_state(address) is not None:
        return
    outdated = _state_at(address, f"/{address.token}")
    if outdated is not None:  # It knows the token in the path only.
        _end(address, outdated)
    if is_taken(address.port):
        raise UsageError(
            f"another program listens on {LOOPBACK}:{address.port}, or a hook server with another token; end it, or "
            "run `ttsr-ls install` again, which moves the hooks to a free port"
        )
    command = [sys.executable, "-m", "ttsr_ls", "hooks", "serve"]
    null = subprocess.DEVNULL
    _STARTED.append(subprocess.Popen(command, stdin=null, stdout=null, stderr=null, start_new_session=True))
    end = time.monotonic() + _STARTS_WITHIN
    while time.monotonic() < end:
        if server_state(address) is not None:
            return
        time.sleep(_PAUSE)
    raise UsageError(f"the hook server did not start on {LOOPBACK}:{address.port}; `ttsr-ls hooks serve` shows why")


def is_taken(port: int) -> bool:
    """Returns whether some program listens on a port of 127.0.0.1."""
    with socket.socket() as probe:
        probe.settimeout(_ANSWERS_WITHIN)
        return probe.connect_ex((LOOPBACK, port)) == 0


def stop(address: HookServerAddress) -> bool:
    """Stops the server; False if none runs. Raises UsageError if it does not stop."""
    state = server_state(address)
    if state is None:
        return False
    _end(address, state)
    return True


def _end(address: HookServerAddress, state: dict[str, Any]) -> None:
    """Ends the server that reported `state`. Raises UsageError."""
    os.kill(int(state["pid"]), signal.SIGTERM)
    end = time.monotonic() + _STARTS_WITHIN
    while time.monotonic() < end:
        if not is_taken(address.port):
            return
        time.sleep(_PAUSE)
    raise UsageError(f"the hook server (process {state['pid']}) does not stop")
