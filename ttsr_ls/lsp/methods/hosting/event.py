"""`ttsr/event`: an editor plugin that hosts an agent reports one event of its run."""

from __future__ import annotations

from typing import Any

from ttsr_ls.lsp.runs import hosted_runs
from ttsr_ls.lsp.server import Server


def handle(server: Server, params: Any) -> None:
    """Adds an event after those that came before. `params` is `{session, event, agent?, workspace?}`."""
    given = hosted_runs.check_params(params, "ttsr/event", "{session, event, agent?, workspace?}")
    if given is not None:
        server.start(_add(server, given))


async def _add(server: Server, params: dict[str, Any]) -> None:
    async with server.hosted_events.in_order:
        folder = hosted_runs.folder_of(server, params.get("workspace"))
        hosted_runs.receive_event(server, params["session"], params.get("agent", "agent"), folder, params.get("event"))
