"""`ttsr/events`: an editor plugin that hosts an agent reports events of its run directly, without a session log."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from typing import Any

from ttsr_ls.lsp.runs import hosted_runs
from ttsr_ls.lsp.server import Server
from ttsr_ls.store.log.codec import CodecError, decode_record

MAX_RECORDS = 20_000
"""The most records of one notification that are added."""
_MAX_BROKEN = 100
_SLICE = 0.01
"""Seconds for which records are added before the loop handles other messages."""

logger = logging.getLogger(__name__)


def handle(server: Server, params: Any) -> None:
    """Adds records, each in the form of a line of a session log. The first of a run has sequence number 1.

    `params` is `CustomNotification.params`: `{workspace: uri, records: [record, …]}`.
    """
    if not isinstance(params, dict) or not isinstance(params.get("records"), list):
        logger.warning("ttsr/events needs {workspace, records}")
        return
    folder = hosted_runs.folder_of(server, params.get("workspace"))
    records = params["records"]
    if len(records) > MAX_RECORDS:
        logger.warning("ttsr/events has %d records; only the last %d are added", len(records), MAX_RECORDS)
    server.start(_add(server, folder, records[-MAX_RECORDS:]))


async def _add(server: Server, folder: str, records: list[Any]) -> None:
    broken = 0
    # Each folder has a run of its own, as it has a list of triggers.
    session = "plugin" if folder == next(iter(server.current.folders), "") else f"plugin {folder}"
    async with server.hosted_events.in_order:
        began = time.perf_counter()
        for value in records:
            if time.perf_counter() - began > _SLICE:
                await asyncio.sleep(0)
                began = time.perf_counter()
            try:
                record = decode_record(json.dumps(value).encode())
            except CodecError as error:
                broken += 1
                if broken <= _MAX_BROKEN:
                    logger.warning("a record of ttsr/events %s", error)
                continue
            hosted_runs.receive_record(server, session, "agent", folder, record, begins=record.sequence == 1)
