"""The limits on triggers that hold in a session, wherever it is watched or run from."""

from __future__ import annotations

from pathlib import Path

from ttsr_ls.bridge.watch.observer import EventLog
from ttsr_ls.store.log.turn_log import TurnLog
from ttsr_ls.store.noise_file import NoiseReader, noise_reader


def session_noise(log: EventLog, cwd: Path, state: Path) -> NoiseReader:
    """Reads the limits for the session with this log in a folder. `state` is that of `session_dirs.state_home`."""
    return noise_reader(cwd, state, log.path.stem if isinstance(log, TurnLog) else "")
