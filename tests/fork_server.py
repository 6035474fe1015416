"""A fork server for `ttsr-ls`: it has imported what commands import, and runs the command in a fork per request.

A test gets a real process with streams, environment and working folder of its own, and does not pay for the imports of
pygls or mcp each time. A test of the start itself, or of signals or limits, starts `python -m ttsr_ls` instead.

Run as a program, it takes the path of a socket and the modules to import; it ends with its standard input.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import runpy
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
CLIENT = Path(__file__).with_name("fork_client.py")
_BRIDGE = (
    "ttsr_ls.cli.run.*",
    "ttsr_ls.cli.acp.*",
    "ttsr_ls.cli.agent.*",
    "ttsr_ls.cli.hooks.*",
    "ttsr_ls.cli.install.*",
    "ttsr_ls.cli.proxy.*",
    "ttsr_ls.cli.sessions.*",
    "ttsr_ls.cli.watch.*",
    "ttsr_ls.bridge.control.*",
    "ttsr_ls.bridge.proxy.*",
    "ttsr_ls.bridge.agent_hooks.*",
    "ttsr_ls.bridge.host.*",
    "ttsr_ls.matching.*",
    "ttsr_ls.esregex.*",
)
_SERVE = (
    "ttsr_ls.cli.serve",
    "ttsr_ls.cli.check.*",
    "ttsr_ls.lsp.*",
    "ttsr_ls.ide.*",
    "ttsr_ls.lint.*",
    "ttsr_ls.isolation.*",
    "ttsr_ls.matching.*",
    "ttsr_ls.esregex.*",
    "regex",
    "pygls.progress",
    "tests.lsp.prepared_converter",
    "watchdog.observers",
)
MODULES = {
    **dict.fromkeys(("check", "serve"), _SERVE),
    **dict.fromkeys(
        ("acp", "agent", "doctor", "hooks", "install", "proxy", "run", "sessions", "uninstall", "watch"), _BRIDGE
    ),
    "mcp": ("ttsr_ls.cli.mcp", "ttsr_ls.bridge.mcp.server"),
}
"""What a command imports until it has done its work. `.*` names all modules of a package."""


def program(command: str) -> list[str]:
    """The words that start `ttsr-ls` with this command; arguments may follow."""
    # On other systems a fork of a process with these modules is not safe, or there is none.
    if sys.platform != "linux" or command not in MODULES:
        return [sys.executable, "-m", "ttsr_ls", command]
    return _client(MODULES[command], command)


def script(path: Path, *modules: str) -> list[str]:
    """The words that start a file of Python in a fork of a process with these modules; arguments may follow."""
    return _client(modules, str(path)) if sys.platform == "linux" else [sys.executable, str(path)]


def _client(modules: tuple[str, ...], word: str) -> list[str]:
    with _starting:
        return [sys.executable, "-I", "-S", str(CLIENT), _started(modules), word]


_starting = threading.Lock()
"""Tests run several agents at once, in threads."""


@cache
def _started(modules: tuple[str, ...]) -> str:
    """Starts the fork server with these modules, for as long as this process lives; returns the path of its socket."""
    folder = tempfile.mkdtemp(prefix="ttsr-fork-")
    path = f"{folder}/socket"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    server = subprocess.Popen(
        [sys.executable, __file__, path, "ttsr_ls.cli.main", *modules],
        env=environment,
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )

    atexit.register(server.communicate)
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"
    return path


def _import(name: str) -> None:
    module = importlib.import_module(name.removesuffix(".*"))
    if name.endswith(".*"):
        for found in pkgutil.walk_packages(module.__path__, f"{module.__name__}."):
            importlib.import_module(found.name)


def _serve(path: str) -> list[str]:
    """Answers requests until standard input ends; returns in a fork, with the words of its command line."""
    selector = selectors.DefaultSelector()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen()
        os.write(1, b"ready\n")
        selector.register(0, selectors.EVENT_READ)
        selector.register(listening, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fileobj == 0:
                    shutil.rmtree(Path(path).parent)  # Here, since a worker may end without doing so.
                    os._exit(0)
                if key.fileobj is listening:
                    words = _accept(listening, selector)
                    if words is not None:
                        selector.close()
                        return words
                else:
                    _ended(key, selector)


def _accept(listening: socket.socket, selector: selectors.BaseSelector) -> list[str] | None:
    """Forks for one request; None in the fork server."""
    connection, _ = listening.accept()
    data, descriptors, _, _ = socket.recv_fds(connection, 1, 3)
    assert data
    with connection.makefile("rb") as reader:
        request = json.loads(reader.readline())
    child = os.fork()
    if child:
        for descriptor in descriptors:
            os.close(descriptor)
        exited = os.pidfd_open(child)
        selector.register(exited, selectors.EVENT_READ, (child, exited, connection))
        selector.register(connection, selectors.EVENT_READ, (child, exited, connection))
        return None
    for descriptor, standard in zip(descriptors, range(3), strict=True):
        os.dup2(descriptor, standard)
        os.close(descriptor)
    for key in list(selector.get_map().values()):
        if key.fileobj is not listening and key.fileobj != 0:
            key.data[2].close()  # A connection that a fork keeps open would not end with the fork server.
    connection.close()
    for descriptor, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        old = getattr(sys, name)  # It knows of the stream that was there, as that it can seek.
        buffering = 1 if name == "stderr" else -1
        new = open(descriptor, mode, buffering, old.encoding, old.errors, closefd=False)  # noqa: SIM115
        setattr(sys, name, new)
        setattr(sys, f"__{name}__", new)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    sys.path[0] = request["folder"]  # As `python -m` has it.
    words: list[str] = request["words"]
    return words


def _ended(key: selectors.SelectorKey, selector: selectors.BaseSelector) -> None:
    """Tells a client that its process has ended, or ends the process of a client that is gone."""
    child, exited, connection = key.data
    if exited not in selector.get_map():  # Both came at once, and the other was first.
        return
    if key.fileobj is connection:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    selector.unregister(exited)
    selector.unregister(connection)
    os.close(exited)
    if key.fileobj is not connection:
        connection.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
    connection.close()


if __name__ == "__main__":
    for name in sys.argv[2:]:
        _import(name)
    gc.freeze()  # What is there is not looked through, and so not copied, in each fork.
    words = _serve(sys.argv[1])
    if words[0].endswith(".py"):
        sys.argv = words
        runpy.run_path(words[0], run_name="__main__")
    else:
        sys.argv = ["ttsr-ls", *words]
        runpy.run_module("ttsr_ls", run_name="__main__", alter_sys=True)
