"""Starts the language server in this process."""

from __future__ import annotations

import gc
import sys

from ttsr_ls.lsp.features import create_server
from ttsr_ls.lsp.logs import log_to
from ttsr_ls.lsp.transport.stdio import serve_stdio

_SWITCH_INTERVAL = 0.0005
"""Seconds after which a busy thread lets another one run. A request takes about five changes of threads: with Python's
default of 5 ms, the analysis of a costly pattern would delay it by 25 ms."""


def serve() -> int:
    """Serves one client on standard input and output; returns the exit status."""
    sys.setswitchinterval(_SWITCH_INTERVAL)
    server = create_server()
    # The engine is imported by the first analysis. Unfrozen, it doubles the pauses of the collector's full passes.
    server.analyses.after_first = gc.freeze
    log_to(server)
    return serve_stdio(server.protocol, server.priority)
