"""Third part of the demo: a recorded run of a real agent against the shipped rules.

It writes a session log like any run, so an editor with the language server shows it.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path, PurePosixPath

from ttsr_ls.bridge.adapters.claude.adapter import ClaudeAdapter
from ttsr_ls.bridge.adapters.player import load_recording, play_recording
from ttsr_ls.cli.log_arguments import on_log_failure
from ttsr_ls.cli.printing.output import write_line
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.cli.watch.observation import Observation
from ttsr_ls.cli.watch.observing import new_session_log, observe
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.store.discovery.discovery import rules_in
from ttsr_ls.store.discovery.local_rules import load_rule
from ttsr_ls.store.discovery.shipped_rules import shipped_rules

RECORDING = "claude-demo"
RECORDED_FOLDER = "/home/dev/shop"
"""The folder that the recorded agent worked in."""


def show_recorded_run(args: argparse.Namespace) -> int:
    """Plays the run at the speed of `args`; returns the exit status."""
    cwd = Path.cwd()
    log = None if args.no_log else new_session_log(cwd)
    observation = Observation(
        agent="claude",
        workspace=cwd,
        rules=tuple(load_rule(rule.path, rule.provider).registration for rule in rules_in(shipped_rules(), "shipped")),
        settings=Settings(),
        matching=Matching.STABLE,
        log=log,
        is_log_named=False,
        on_log_failure=on_log_failure(args),
        output=sys.stdout,
    )
    chunks = play_recording(load_recording(RECORDING), args.speed, time.monotonic, time.sleep)
    status = observe(observation, ClaudeAdapter(PurePosixPath(RECORDED_FOLDER)), chunks)
    if log is not None and log.is_file():
        write_line(f"Session log: {one_line(str(log))}")
        write_line("An editor with the plugin of ttsr-ls that is open on this folder shows the triggers.")
    return status
