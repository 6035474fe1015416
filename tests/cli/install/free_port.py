"""A port for a hook server: on the default one another test, or a person's own server, may listen."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


def free_port() -> int:
    """A port on 127.0.0.1 on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_taken(port: int) -> bool:
    """Whether somebody listens on a port of 127.0.0.1."""
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
    return False


@contextmanager
def taken_port(port: int = 0) -> Iterator[int]:
    """A port of 127.0.0.1 on which another program listens, which closes each connection at once."""
    with socket.create_server(("127.0.0.1", port)) as listening:
        closing = threading.Thread(target=_close_connections, args=(listening,))
        closing.start()
        try:
            yield int(listening.getsockname()[1])
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            closing.join()


def _close_connections(listening: socket.socket) -> None:
    with suppress(OSError):  # The socket is shut down.
        while True:
            listening.accept()[0].close()
