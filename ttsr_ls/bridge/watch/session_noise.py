"""The limits on triggers in a session, for all programs that watch or run it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from ttsr_ls.bridge.watch.event_log import EventLog
from ttsr_ls.session.lifecycle.noise_budget import NoiseBudget, NoiseGate
from ttsr_ls.store.log.session_dirs import state_home
from ttsr_ls.store.log.turn_log import TurnLog
from ttsr_ls.store.noise_file import NoiseReader, noise_reader


def session_noise(log: EventLog, cwd: Path, state: Path, *agent_sessions: str) -> NoiseReader:
    """Returns the limits for the session with this log in a folder. `state` is the folder `session_dirs.state_home`.

    `agent_sessions` are the known ids that the agent itself gives the session.
    """
    own = (log.path.stem,) if isinstance(log, TurnLog) else ()
    return noise_reader(cwd, state, *own, *agent_sessions)


def session_noise_gate(
    log: EventLog,
    cwd: Path,
    home: Path,
    now: Callable[[], int],
    budget: NoiseBudget | None = None,
    agent_sessions: tuple[str, ...] = (),
) -> NoiseGate:
    """Returns a gate that applies these limits. `now` returns milliseconds since the Unix epoch.

    `budget` is that of the session's observer, if it has one, so that both count together.
    """
    return NoiseGate(session_noise(log, cwd, state_home(os.environ, home), *agent_sessions), now, budget)
