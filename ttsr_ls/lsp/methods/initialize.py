"""`initialize`: who the client is, and what it works on."""

from __future__ import annotations

import asyncio

from lsprotocol import types

from ttsr_ls.lsp import client
from ttsr_ls.lsp.options import read_options
from ttsr_ls.lsp.server import Server
from ttsr_ls.lsp.uris import is_file, path_of


def handle(server: Server, params: types.InitializeParams) -> None:
    """Remembers the client's capabilities, settings and folders. pygls makes the answer."""
    server.loop = asyncio.get_running_loop()
    server.client = client.resolve(params.capabilities)
    server.options = read_options(params.initialization_options)
    server.current = server.current.with_folders(_folders(params))


def _folders(params: types.InitializeParams) -> list[str]:
    if params.workspace_folders:
        return [path_of(folder.uri) for folder in params.workspace_folders if is_file(folder.uri)]
    if params.root_uri is not None and is_file(params.root_uri):
        return [path_of(params.root_uri)]
    return [params.root_path] if params.root_path else []
