"""The address of a user's hook server, and its token: a file in the state folder with access for its owner only.

Both persist across restarts, because agents' settings contain them.
"""

from __future__ import annotations

import secrets
import socket
from pathlib import Path

import msgspec
from msgspec import Struct

from ttsr_ls.errors import UsageError
from ttsr_ls.store.files.bounded_file import RuleUnreadableError, read_file
from ttsr_ls.store.files.private_files import PRIVATE_FILE, make_private_folders
from ttsr_ls.store.files.replacement import replace_file
from ttsr_ls.typed_values import json_decoder

SERVICE = "ttsr-ls hooks"
"""The name that the hook server gives in its state."""

AUTHORIZATION_SCHEME = "Bearer"

WRONG_TOKEN = "wrong token"  # noqa: S105 - a message
"""The answer of the hook server to a request with another token."""

LOOPBACK = "127.0.0.1"
DEFAULT_PORT = 8791


class HookServerAddress(Struct, frozen=True):
    """The port on 127.0.0.1, and the token that every request needs."""

    port: int
    token: str

    @property
    def url(self) -> str:
        """The address of the server; `/AGENT` after it takes hooks of an agent. It has no secret."""
        return f"http://{LOOPBACK}:{self.port}"

    @property
    def authorization(self) -> str:
        """The header `Authorization` of a request."""
        return f"{AUTHORIZATION_SCHEME} {self.token}"


def address_file(state: Path) -> Path:
    """Returns the path of the file. `state` is the folder of `session_dirs.state_home`."""
    return state / "ttsr-ls" / "hooks" / "server.json"


def socket_file(state: Path) -> Path:
    """Returns the path of the server's unix socket. `state` is the folder of `session_dirs.state_home`."""
    return address_file(state).with_name("server.sock")


_DECODER = json_decoder(HookServerAddress)


def hook_server_address(state: Path, port: int | None = None) -> HookServerAddress:
    """Returns the stored address; creates and stores one if there is none. `port` replaces the stored port. Raises
    UsageError.
    """
    path = address_file(state)
    stored = _stored(path)
    address = _address(stored, port)
    if address != stored:
        _write(path, address)
    return address


def stored_address(state: Path) -> HookServerAddress | None:
    """Returns the stored address; None if no hook server had one yet. Writes nothing."""
    return _stored(address_file(state))


def restore_address(state: Path, address: HookServerAddress) -> None:
    """Stores the address of a server whose file was deleted. Raises UsageError."""
    _write(address_file(state), address)


def planned_address(state: Path) -> HookServerAddress:
    """Returns the stored address, else the one that would be created. Writes nothing."""
    return _address(_stored(address_file(state)), None)


def _address(address: HookServerAddress | None, port: int | None) -> HookServerAddress:
    return HookServerAddress(
        port or (address.port if address else free_port()), address.token if address else secrets.token_urlsafe(24)
    )


def free_port(default: int = DEFAULT_PORT) -> int:
    """Returns the default port, or another one if it is taken: each user of a machine has a server."""
    for port in (default, 0):
        with socket.socket() as probe:
            try:
                probe.bind((LOOPBACK, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    return default


def _stored(path: Path) -> HookServerAddress | None:
    try:
        data = read_file(path)
    except RuleUnreadableError:
        return None
    try:
        return _DECODER.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _write(path: Path, address: HookServerAddress) -> None:
    try:
        make_private_folders(path.parent)
        replace_file(path, msgspec.json.encode(address) + b"\n", PRIVATE_FILE)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
