"""Notifies the client of changed runs, once for all changes within a short delay."""

from __future__ import annotations

import asyncio

from ttsr_ls.lsp.server import Server

RUNS_CHANGED = "ttsr/runsChanged"
_DELAY = 0.05
"""Seconds from a change to its notification."""


def run_changed(server: Server, identity: str | None) -> None:
    """Schedules a notification that session `identity` changed; for None, that sessions or triggers were removed."""
    is_scheduled = bool(server.changed_runs)
    server.changed_runs.add(identity or "")
    if not is_scheduled:
        server.start(_announce(server))


async def _announce(server: Server) -> None:
    await asyncio.sleep(_DELAY)
    changed, server.changed_runs = server.changed_runs, set()
    server.protocol.notify(RUNS_CHANGED, {"sessions": sorted(changed - {""})})
