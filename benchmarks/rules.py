"""`python -m benchmarks.rules FOLDER [FILE]`: what each delta costs with the rules of a folder, together and alone.

The text is streamed as reply text, and, if FILE is given, as the content of a file that the agent writes. Rules whose
scope or globs do not admit the stream cost nothing there.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.feeding import DELTA, LENGTH
from benchmarks.machine import Machine
from benchmarks.measuring import Cost, cost_of, pieces
from benchmarks.real_texts import KINDS, real_text
from ttsr_ls.matching.monitor.monitor import Monitor
from ttsr_ls.rules.registration import Registration
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.rules.stream import Delta, Payload, Source, StreamContext
from ttsr_ls.store.discovery.local_rules import load_rule
from ttsr_ls.store.files.bounded_file import RuleUnreadableError

_SECONDS = 2.0
_MAX_ROWS = 20


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rules", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a folder with rule files, at any depth")
    parser.add_argument("file", type=Path, nargs="?", help="the text to stream (default: samples of each kind)")
    parser.add_argument("--all", action="store_true", help=f"show all rules, not only the {_MAX_ROWS} slowest")
    arguments = parser.parse_args()
    registrations = list(_registrations(arguments.folder))
    if not registrations:
        sys.exit(f"{arguments.folder} has no rule file (NAME.md) with a condition that works")
    try:
        texts = list(_texts(arguments.file))
    except OSError as error:
        sys.exit(f"cannot read {arguments.file}: {error.strerror}")
    machine = Machine()
    names = [str(registration.name) for registration in registrations]
    wide = max(map(len, ["all together", *names]))
    for title, context, text in texts:
        print(f"\n{title}\n{'rule':<{wide}}{'p50':>9}{'p99':>9}{'max':>9}  µs for a delta of {DELTA} units")
        print(_row("all together", wide, *_measured(registrations, context, text, machine)))
        rows = [
            (name, *_measured([registration], context, text, machine))
            for name, registration in zip(names, registrations, strict=True)
        ]
        rows.sort(key=lambda row: -row[1].greatest)
        for name, cost, fired in rows if arguments.all else rows[:_MAX_ROWS]:
            print(_row(name, wide, cost, fired))


def _registrations(folder: Path) -> Iterator[Registration]:
    skipped = 0
    for path in sorted(folder.rglob("*.md")):
        try:
            registration = load_rule(path, "native").registration
        except RuleUnreadableError as error:
            print(f"{path}: {error}", file=sys.stderr)
            continue
        if registration.rule is not None and registration.rule.condition_texts:
            yield registration
        else:
            skipped += 1
    if skipped:
        print(f"files without a condition that works, skipped: {skipped}", file=sys.stderr)


def _texts(file: Path | None) -> Iterator[tuple[str, StreamContext, str]]:
    reply = StreamContext(Source.TEXT)
    if file is None:
        for kind in KINDS:
            yield f"{kind} as reply text", reply, real_text(kind)[:LENGTH]
        return
    text = file.read_text(encoding="utf-8", errors="replace")
    paths = (str(file.absolute()), str(file), file.name)
    yield f"{file.name} as reply text", reply, text
    yield f"{file.name} as written", StreamContext(Source.TOOL, "write", paths, "toolcall:1", Payload.WRITTEN), text


def _measured(
    registrations: Sequence[Registration], context: StreamContext, text: str, machine: Machine
) -> tuple[Cost, int]:
    rules = RuleSet.build(registrations, Settings())
    monitor = Monitor(rules)
    monitor.prewarm("\n".join(rule.body for rule in rules.rules))
    gc.collect()
    gc.freeze()
    fired = 0

    def feed(chunk: str) -> None:
        nonlocal fired
        fired += len(monitor.feed(Delta(context, chunk)))

    return cost_of(feed, pieces(text, DELTA), machine, _SECONDS), fired


def _row(name: str, wide: int, cost: Cost, fired: int) -> str:
    figures = "".join(f"{figure * 1e6:>9.1f}" for figure in (cost.median, cost.p99, cost.greatest))
    return f"{name:<{wide}}{figures}  {fired} triggers"


if __name__ == "__main__":
    main()
