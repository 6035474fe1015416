"""`python -m benchmarks.condition RE [FILE]`: what each delta costs with one condition, on real texts or on a file."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.feeding import DELTA, LENGTH, Session
from benchmarks.machine import Machine
from benchmarks.measuring import cost_of, pieces
from benchmarks.real_texts import KINDS, real_text

_SECONDS = 5.0


def main(machine: Machine | None = None) -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.condition", description=__doc__)
    parser.add_argument("condition", metavar="RE", help="a regular expression, as in the frontmatter of a rule")
    parser.add_argument("file", type=Path, nargs="?", help="the text to stream (default: samples of each kind)")
    arguments = parser.parse_args()
    if arguments.file is not None:
        texts = {arguments.file.name: arguments.file.read_text(encoding="utf-8", errors="replace")}
    else:
        texts = {kind: real_text(kind)[:LENGTH] for kind in KINDS}
    machine = Machine() if machine is None else machine
    print(f"{'text':<16}{'p50':>9}{'p99':>9}{'max':>9}  µs for a delta of {DELTA} units")
    for name, text in texts.items():
        session = Session([arguments.condition], prewarmed=True)
        cost = cost_of(session.stream("text"), pieces(text, DELTA), machine, _SECONDS)
        figures = "".join(f"{figure * 1e6:>9.1f}" for figure in (cost.median, cost.p99, cost.greatest))
        disabled = ", disabled" if session.disabled else ""
        print(f"{name:<16}{figures}  {session.fired} triggers{disabled}")


if __name__ == "__main__":
    main()
