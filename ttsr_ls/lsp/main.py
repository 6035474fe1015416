"""Starts the language server in this process."""

from __future__ import annotations

from ttsr_ls.lsp.features import create_server
from ttsr_ls.lsp.logs import log_to
from ttsr_ls.lsp.transport.stdio import serve_stdio


def serve() -> int:
    """Serves one client on standard input and output; returns the exit status."""
    server = create_server()
    log_to(server)
    return serve_stdio(server.protocol)
