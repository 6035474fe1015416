"""`ttsr/event`: an editor plugin that hosts an agent reports one event of its run."""

from __future__ import annotations

from typing import Any

from ttsr_ls.lsp.runs import hosted_runs
from ttsr_ls.lsp.server import Server


def handle(server: Server, params: Any) -> None:
    """Adds an event. `params` is `{session, event, agent?, workspace?}`."""
    given = hosted_runs.check_params(params, "ttsr/event", "{session, event, agent?, workspace?}")
    if given is not None:
        folder = hosted_runs.folder_of(server, given.get("workspace"))
        hosted_runs.receive_event(server, given["session"], given.get("agent", "agent"), folder, given.get("event"))
