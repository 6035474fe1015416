"""`ttsr/stream`: an editor plugin that hosts an agent feeds the agent's output into the server."""

from __future__ import annotations

import logging
import re
from typing import Any

from ttsr_ls.lsp.runs import hosted_runs
from ttsr_ls.lsp.server import Server

_SOURCE = re.compile(r"[a-z][a-z-]{0,40}")

logger = logging.getLogger(__name__)


def handle(server: Server, params: Any) -> None:
    """Adds output of an agent. `params` is `{session, data?, from?, workspace?, end?}`."""
    given = hosted_runs.check_params(params, "ttsr/stream", "{session, data?, from?, workspace?, end?}")
    if given is None:
        return
    data, source = given.get("data", ""), given.get("from", "auto")
    folder = hosted_runs.folder_of(server, given.get("workspace"))
    if not isinstance(data, str) or not isinstance(source, str) or not _SOURCE.fullmatch(source):
        logger.warning("ttsr/stream: 'data' is a string, and 'from' a source of 'ttsr-ls watch'")
        return
    if folder not in server.current.folders:
        logger.warning("ttsr/stream: 'workspace' is a folder that is open in the editor")
        return
    if data:
        server.streamed_agents.feed(given["session"], source, folder, data)
    if given.get("end") is True:
        server.streamed_agents.end(given["session"])
