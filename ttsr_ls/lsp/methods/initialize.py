"""`initialize`: the client, its capabilities, and its workspace."""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import suppress

from lsprotocol import types

from ttsr_ls.lsp import client
from ttsr_ls.lsp.features import add_requests_for
from ttsr_ls.lsp.options import read_options
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.transport.client_process import watch_process
from ttsr_ls.lsp.uris import can_be_a_path, folders_of, is_file

_GRACE = 5.0
"""Seconds in which the server has to shut down after the end of its client."""


def handle(server: Server, params: types.InitializeParams) -> None:
    """Stores the client's capabilities, settings and folders. pygls creates the response."""
    server.loop = loop = asyncio.get_running_loop()
    server.client = client.resolve(params.capabilities)
    add_requests_for(server, params.capabilities)
    server.options = read_options(params.initialization_options)
    server.current = server.current.with_folders(_folders(params))
    if params.process_id is not None:
        watch_process(params.process_id, lambda: _end(server, loop))


def _end(server: Server, loop: asyncio.AbstractEventLoop) -> None:
    """Ends the server, whose client is gone. For a thread."""
    with suppress(RuntimeError):  # The loop is closed: the process ends.
        loop.call_soon_threadsafe(server.protocol.end)
    # The loop may wait for ever to write to a pipe that nobody reads.
    time.sleep(_GRACE)
    os._exit(1)


def _folders(params: types.InitializeParams) -> list[str]:
    if params.workspace_folders:
        return folders_of(folder.uri for folder in params.workspace_folders)
    if params.root_uri is not None and is_file(params.root_uri):
        return folders_of([params.root_uri])
    return [params.root_path] if params.root_path and can_be_a_path(params.root_path) else []
