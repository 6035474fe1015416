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
from contextlib import suppress
from enum import Enum
from typing import Any

from ttsr_ls.errors import UsageError
from ttsr_ls.store.hook_server_file import LOOPBACK, SERVICE, WRONG_TOKEN, HookServerAddress

_ANSWER_TIMEOUT = 2.0
_START_TIMEOUT = 30.0
"""In seconds. On an idle machine, the server starts in half a second. Agents wait less for the hook that starts it."""
_POLL_INTERVAL = 0.05

_STARTED: list[subprocess.Popen[bytes]] = []
"""Servers that this process started and that outlive it. Python warns when such a process is garbage-collected."""


class ServerFault(Enum):
    """The reason why a hook server cannot be used."""

    NOT_LISTENING = "nothing listens on its port"
    NO_ANSWER = "the program on its port does not answer in time"
    WRONG_TOKEN = "the server on its port has another token"  # noqa: S105 - a message
    FOREIGN = "another program listens on its port"


def server_state(address: HookServerAddress) -> dict[str, Any] | None:
    """The state that the running server reports; None if no server of this version of ttsr-ls answers."""
    found = ask_server(address)
    return None if isinstance(found, ServerFault) else found


def ask_server(
    address: HookServerAddress, path: str = "/", timeout: float = _ANSWER_TIMEOUT
) -> dict[str, Any] | ServerFault:
    """The state that the running server reports within `timeout` seconds, or why there is none."""
    connection = http.client.HTTPConnection(LOOPBACK, address.port, timeout=timeout)
    try:
        connection.request("GET", path, headers={"Authorization": address.authorization})
        response = connection.getresponse()
        data = response.read(65536)
    except ConnectionRefusedError:
        return ServerFault.NOT_LISTENING
    except TimeoutError:
        return ServerFault.NO_ANSWER
    except (OSError, http.client.HTTPException):
        return ServerFault.FOREIGN
    finally:
        connection.close()
    if response.status == http.client.FORBIDDEN and data.strip() == WRONG_TOKEN.encode():
        return ServerFault.WRONG_TOKEN
    try:
        found = json.loads(data) if response.status == http.client.OK else None
    except ValueError:
        found = None
    return found if isinstance(found, dict) and found.get("service") == SERVICE else ServerFault.FOREIGN


def ensure_running(address: HookServerAddress) -> None:
    """Starts the server as a background process unless it is running. Raises UsageError."""
    if server_state(address) is not None:
        return
    outdated = ask_server(address, f"/{address.token}")
    if not isinstance(outdated, ServerFault):  # A server of an earlier version, which takes the token in the path.
        _end(address, outdated)
    if is_taken(address.port):
        raise UsageError(
            f"another program listens on {LOOPBACK}:{address.port}, or a hook server with another token; `ttsr-ls "
            "doctor` names the repair"
        )
    command = [sys.executable, "-m", "ttsr_ls", "hooks", "serve"]
    null = subprocess.DEVNULL
    _STARTED.append(subprocess.Popen(command, stdin=null, stdout=null, stderr=null, start_new_session=True))
    end = time.monotonic() + _START_TIMEOUT
    while time.monotonic() < end:
        if server_state(address) is not None:
            return
        time.sleep(_POLL_INTERVAL)
    raise UsageError(f"the hook server did not start on {LOOPBACK}:{address.port}; `ttsr-ls hooks serve` shows why")


def is_taken(port: int) -> bool:
    """Returns whether some program listens on a port of 127.0.0.1."""
    with socket.socket() as probe:
        probe.settimeout(_ANSWER_TIMEOUT)
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
    process = state.get("pid")
    if type(process) is not int or process <= 1:  # Others are groups of processes, and the system's first one.
        raise UsageError(
            f"the program on {LOOPBACK}:{address.port} does not say which process it is; end it, and try again"
        )
    with suppress(ProcessLookupError):  # It has ended meanwhile.
        os.kill(process, signal.SIGTERM)
    end = time.monotonic() + _START_TIMEOUT
    while time.monotonic() < end:
        if not is_taken(address.port):
            return
        time.sleep(_POLL_INTERVAL)
    raise UsageError(f"the hook server (process {process}) does not stop")
