"""`workspace/didChangeConfiguration`: the settings changed. Some clients send them, others wait for a request."""

from __future__ import annotations

from lsprotocol import types

from ttsr_ls.lsp import background
from ttsr_ls.lsp.options import SECTION
from ttsr_ls.lsp.server import Server


def handle(server: Server, params: types.DidChangeConfigurationParams) -> None:
    """Applies the settings, or requests them from the client."""
    if isinstance(params.settings, dict) and SECTION in params.settings:
        background.settings_received(server, params.settings)
    else:
        background.configuration_changed(server)
