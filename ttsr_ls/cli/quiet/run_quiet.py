"""Runs `quiet`: reads the limits of a workspace, changes them, and lists them."""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from msgspec.structs import replace

from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.printing.output import write_line
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.errors import UsageError
from ttsr_ls.store.log.session_dirs import session_files, state_home, workspace_folder, workspace_root
from ttsr_ls.store.noise_file import KeptNoise, KeptSilence, read_noise, write_noise


def run_quiet(args: argparse.Namespace) -> int:
    """Changes what is silenced in the workspace of the current folder, and lists it. Raises UsageError."""
    folder = workspace_folder(state_home(os.environ, Path.home()), workspace_root(Path.cwd()))
    moment = time.time_ns() // 1_000_000
    before = read_noise(folder).without_ended(moment)
    noise = before
    names = tuple(args.rules)
    if args.off:
        noise = noise.without(names) if names else replace(noise, silences=())
    elif names:
        noise = _silenced(noise.without(names), names, args, folder, moment)
    elif args.duration is not None or args.session is not None:
        raise UsageError("name the rules to silence")
    if args.per_turn is not None:
        noise = replace(noise, per_turn=args.per_turn or None)
    if args.per_session is not None:
        noise = replace(noise, per_session=args.per_session or None)
    if noise != before:
        write_noise(folder, noise)
    _list(noise, moment)
    return ExitCode.OK


def _silenced(
    noise: KeptNoise, names: tuple[str, ...], args: argparse.Namespace, folder: Path, moment: int
) -> KeptNoise:
    if args.duration is not None:
        added = tuple(KeptSilence(name, moment + args.duration * 1000) for name in names)
    else:
        added = tuple(KeptSilence(name, session=_session(args.session, folder)) for name in names)
    return replace(noise, silences=(*noise.silences, *added))


def _session(named: str | None, folder: Path) -> str:
    known = [path.stem for path in session_files(folder)]
    if named is None:
        if not known:
            raise UsageError("there is no session of this folder yet; silence the rule for a while with --for")
        return known[-1]
    found = [name for name in known if name == named or name.endswith(named)]
    if len(found) != 1:
        raise UsageError(f"{'several sessions match' if found else 'there is no session'} {named}")
    return found[0]


def _list(noise: KeptNoise, moment: int) -> None:
    for each in noise.silences:
        left = "" if each.until is None else f" for {_shown(each.until - moment)}"
        where = "" if each.session is None else f" in the session {one_line(each.session)}"
        write_line(f"{one_line(each.rule)} is silenced{left}{where}.")
    if not noise.silences:
        write_line("No rule is silenced.")
    for cap, what in ((noise.per_turn, "turn"), (noise.per_session, "session")):
        if cap is not None:
            write_line(f"At most {cap} triggers of a {what} count.")


def _shown(milliseconds: int) -> str:
    minutes = max(1, round(milliseconds / 60_000))
    return f"{minutes} min" if minutes < 120 else f"{round(minutes / 60)} h"
