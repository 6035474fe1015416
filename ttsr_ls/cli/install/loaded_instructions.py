"""Reads from the session log which instruction files an agent loaded in its last session here."""

from __future__ import annotations

from pathlib import Path

from ttsr_ls.cli.install.doctor_report import DoctorCheck
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.session.history.turn_events import InstructionsLoaded
from ttsr_ls.store.log.errors import LogWriteError
from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.reader import read_log
from ttsr_ls.store.log.session_dirs import log_folder_of, session_files

_MAX_SESSIONS = 20
"""The number of recent sessions among which the last one of the agent is searched."""


def check_loaded_instructions(agent: str) -> DoctorCheck | None:
    """Returns the files that the agent loaded in its last session in the current folder; None: not recorded."""
    for path in session_files(log_folder_of(Path.cwd()))[: -_MAX_SESSIONS - 1 : -1]:
        try:
            content = read_log(path)
        except (OSError, LogWriteError):
            continue
        if not isinstance(content.header, Header) or content.header.agent != agent:
            continue
        events = (record.event for record in content.records)
        loaded = tuple(dict.fromkeys(event.path for event in events if isinstance(event, InstructionsLoaded)))
        if not loaded:
            return None
        file_count = count(len(loaded), "file")
        return DoctorCheck(f"In its last session here, it loaded {file_count} of instructions: {', '.join(loaded)}.")
    return None
