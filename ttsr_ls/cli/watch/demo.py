"""`ttsr-ls demo`: plays a recorded run of a real agent against the rules that come with this program.

Needs no key and no network. It writes a session log like any run, so an editor with the server running shows it.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path, PurePosixPath

from ttsr_ls.bridge.adapters.claude import ClaudeAdapter
from ttsr_ls.bridge.adapters.player import play, recorded_run
from ttsr_ls.cli.log_arguments import add_strict_argument, on_log_failure
from ttsr_ls.cli.printing.output import write_line
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.cli.watch.observing import Observation, new_session_log, observe
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.store.discovery.discovery import rules_in
from ttsr_ls.store.discovery.rules_here import load_rule
from ttsr_ls.store.discovery.shipped_rules import shipped_rules

RECORDING = "claude-demo"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `demo`."""
    parser.add_argument(
        "--speed", type=_speed, default=1.0, metavar="N", help="play N times as fast as it was (default: 1)"
    )
    add_strict_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Plays the run."""
    cwd = Path.cwd()
    log = new_session_log(cwd)
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
    chunks = play(recorded_run(RECORDING), args.speed, time.monotonic, time.sleep)
    status = observe(observation, ClaudeAdapter(PurePosixPath("/home/dev/shop")), chunks)
    if log.is_file():
        told = f"The session log is {log}; an editor that is open on {cwd}, with the server, shows the triggers."
        write_line(one_line(told))
    return status


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0 < speed < float("inf"):
        raise argparse.ArgumentTypeError(f"a number greater than 0 is needed, not '{text}'")
    return speed
