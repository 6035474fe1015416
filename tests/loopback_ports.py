"""Ports of 127.0.0.1: free ones that stay free until a server listens there, and taken ones."""

from __future__ import annotations

import atexit
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_RESERVED: list[socket.socket] = []


def free_port() -> int:
    """Returns a port that only a server that is told of it gets, as long as this process lives.

    The socket that is bound here does not listen: connections are refused, a server with SO_REUSEADDR may listen, and
    the system gives the port to nobody who asks for any port or connects from one.
    """
    reserved = socket.socket()
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reserved.bind(("127.0.0.1", 0))
    if not _RESERVED:
        atexit.register(_release)
    _RESERVED.append(reserved)
    return int(reserved.getsockname()[1])


def _release() -> None:
    for reserved in _RESERVED:
        reserved.close()


def unassigned_port() -> int:
    """Returns a port that nobody is bound to, not even this process. The system gives ports above it to programs."""
    return 10_000 + os.getpid() % 20_000


@contextmanager
def taken_port(port: int = 0) -> Iterator[int]:
    """A port of 127.0.0.1 on which another program listens, which closes each connection at once."""
    with socket.create_server(("127.0.0.1", port)) as listening:
        thread = threading.Thread(target=_close_connections, args=(listening,))
        thread.start()
        try:
            yield int(listening.getsockname()[1])
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()


def _close_connections(listening: socket.socket) -> None:
    with suppress(OSError):  # The socket is shut down.
        while True:
            listening.accept()[0].close()
