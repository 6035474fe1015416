"""Measures what every command and every request of the language server costs on each pathological case.

`nice python tests/hostile/measure.py [--only TEXT] [--every N] [--from N] [--commands TEXT] [--out FILE]`. Each command
runs in a process forked off one that has imported everything, so start-up does not count; its processor time is
measured, with that of the processes that it started. The status is 1 where one took longer than a second, or raised.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import importlib
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parent)]

from hostile_cases import Case, cases, write  # noqa: E402 - only found by the path above
from server_requests import COUNTED, ask  # noqa: E402

from ttsr_ls.cli.main import COMMANDS, main  # noqa: E402

LONGEST = 1.0
"""How much processor time, in seconds, a command or a request may take."""
GIVEN_UP = 20
"""After how much of it, in seconds, it is ended."""


def commands(rule: str) -> dict[str, list[str]]:
    """The command lines, by a name."""
    omp = rule.startswith((".omp", ".pi"))
    near = ["--file", "src/near.txt"]
    found = {
        "check": ["check", rule],
        "check everything": ["check"],
        "check --fix": ["check", "--fix", "--unsafe-fixes", "--diff", rule],
        "check sarif": ["check", "--format", "sarif", rule],
        "explain": ["explain", rule],
        "list": ["list", "--all"],
        "list --json": ["list", "--json"],
        "test": ["test", "-v", *near],
        "test code": ["test", "-v", "-r", rule, "--file", "src/code.ts", "-p", "src/code.ts"],
        "test reference": ["test", "-v", "--matching", "reference", "--chunk", "100", *near],
        "why": ["why", "rule", *near],
        "why of a file": ["why", rule, "--source", "tool", "-p", "src/code.ts", "--file", "src/code.ts", "--json"],
        "scan": ["scan", ".", "-v"],
        "watch": ["watch", "--from", "claude", "--no-log", "agent.jsonl"],
        "convert to pi": ["convert", "--to", "pi-ttsr", rule],
        "convert to omp": ["convert", "--to", "omp", rule],
        "convert to cursor": ["convert", "--to", "cursor", rule],
        "convert to github": ["convert", "--to", "github", rule],
    }
    return found if omp else {name: line for name, line in found.items() if name != "why of a file"}


def forked(folder: Path, work: Callable[[], object]) -> tuple[float, int, str]:
    """Runs `work` in a process of its own; its processor time, its status, and what it printed as errors."""
    printed = folder.parent / "printed"
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (GIVEN_UP, GIVEN_UP + 1))
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
        os.chdir(folder)
        os.environ |= {"HOME": str(folder.parent / "home"), "XDG_STATE_HOME": str(folder.parent / "state")}
        output = os.open(os.devnull, os.O_WRONLY)
        errors = os.open(printed, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output, 1)
        os.dup2(errors, 2)
        status = 70
        try:
            status = int(work() or 0)  # type: ignore[call-overload]
            sys.stdout.flush()
        except BaseException as error:
            os.write(2, f"Traceback: {error!r}\n".encode())
        os._exit(status & 0xFF)
    _, status, used = os.wait4(child, 0)
    return used.ru_utime + used.ru_stime, status, printed.read_text(errors="replace")


def measured(case: Case, wanted: str) -> dict[str, tuple[float, str]]:
    """What each command and request costs on a case, and what went wrong."""
    found: dict[str, tuple[float, str]] = {}
    for name, line in commands(case.rule).items():
        if wanted not in name:
            continue
        with tempfile.TemporaryDirectory(prefix="hostile") as made:
            folder = Path(made) / "shop"
            write(case, folder)
            took, status, errors = forked(folder, lambda line=line: main(line))
        found[name] = (took, _wrong(status, errors))
    if wanted in "server":
        with tempfile.TemporaryDirectory(prefix="hostile") as made:
            folder = Path(made) / "shop"
            write(case, folder)
            report = Path(made) / "report"
            took, status, errors = forked(folder, lambda: _served(case, folder, report))
            wrong = _wrong(status, errors)
            if wrong or not report.exists():
                found["server"] = (took, wrong or "no report")
            else:
                found |= {name: (seconds, "") for name, seconds in json.loads(report.read_text()).items()}
    return found


def _served(case: Case, folder: Path, report: Path) -> int:
    report.write_text(json.dumps(asyncio.run(ask(folder, case.rule))))
    os._exit(0)  # Threads of the server do not count any more.


def _wrong(status: int, errors: str) -> str:
    if os.WIFSIGNALED(status):
        return f"signal {os.WTERMSIG(status)}"
    lines = errors.strip().splitlines()
    return next(
        (
            f"raised: {lines[-1][:200]} / {lines[-2][:200] if len(lines) > 1 else ''}"
            for line in lines
            if "Traceback" in line
        ),
        "",
    )


def run(args: argparse.Namespace) -> int:
    """Measures all cases."""
    for command in COMMANDS:
        importlib.import_module(command.module)
    import regex

    regex.compile("a").search("b")
    for module in COUNTED:
        importlib.import_module(module)
    chosen = [case for case in cases() if args.only in case.name][args.start :: args.every]
    gc.freeze()
    worst: dict[str, tuple[float, str]] = {}
    bad = 0
    with open(args.out, "a") as out:  # noqa: PTH123
        for number, case in enumerate(chosen):
            began = time.monotonic()
            for name, (took, wrong) in measured(case, args.commands).items():
                out.write(json.dumps([case.name, name, round(took, 3), wrong]) + "\n")
                if took > worst.get(name, (-1.0, ""))[0]:
                    worst[name] = (took, case.name)
                if took > LONGEST or wrong:
                    bad += 1
                    print(f"{took:6.2f} s  {name}: {case.name}  {wrong}", flush=True)
            out.flush()
            if args.verbose:
                print(f"{number}/{len(chosen)} {case.name} {time.monotonic() - began:.1f}", flush=True)
    print(f"{len(chosen)} cases; {bad} measurements over {LONGEST:g} s or with an error. The worst:")
    for name, (took, case_name) in sorted(worst.items(), key=lambda item: -item[1][0]):
        print(f"{took:6.2f} s  {name}: {case_name}")
    return bad > 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--from", dest="start", type=int, default=0)
    parser.add_argument("--commands", default="")
    parser.add_argument("--out", default=os.devnull)
    parser.add_argument("--verbose", action="store_true")
    sys.exit(run(parser.parse_args()))
