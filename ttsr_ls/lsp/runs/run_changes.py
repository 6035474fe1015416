"""Notifies the client of changed runs, once for all changes of a moment."""

from __future__ import annotations

import asyncio

from ttsr_ls.lsp.server import Server

RUNS_CHANGED = "ttsr/runsChanged"
_MOMENT = 0.05
"""Seconds."""


def run_changed(server: Server, identity: str | None) -> None:
    """Schedules a notification that the session `identity` changed, or, for None, that sessions were removed."""
    is_due = bool(server.changed_runs)
    server.changed_runs.add(identity or "")
    if not is_due:
        server.start(_announce(server))


async def _announce(server: Server) -> None:
    await asyncio.sleep(_MOMENT)
    changed, server.changed_runs = server.changed_runs, set()
    server.protocol.notify(RUNS_CHANGED, {"sessions": sorted(changed - {""})})
