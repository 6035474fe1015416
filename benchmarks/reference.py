"""`python -m benchmarks.reference`: whole messages here and in the reference agent's own manager, in one run.

`TTSR_OMP` names the installed reference agent; nothing of it is copied. A message there takes minutes, so its cost is
integrated over samples at ten lengths; here the whole message is streamed.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys

from benchmarks.conditions import conditions
from benchmarks.feeding import DELTA
from benchmarks.generated import PREWARMED, cost_of
from benchmarks.machine import Machine
from benchmarks.naive import reference_command, sampling
from benchmarks.texts import code
from ttsr_ls.matching.streams.automaton_matcher import AutomatonMatcher
from ttsr_ls.rules.condition import compile_condition

SAMPLED = 10
WHOLE_TEXT = r"[\s\S]*"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reference", description=__doc__)
    parser.add_argument("--rules", type=int, default=100)
    parser.add_argument("--lengths", type=int, nargs="*", default=(2_000, 20_000, 200_000))
    arguments = parser.parse_args()
    program = os.environ.get("TTSR_OMP")
    if program is None:
        sys.exit("TTSR_OMP does not name an installed reference agent.")
    # A lookahead over the whole text costs the reference seconds a delta; beside that, nothing else would show.
    sources = [source for source in conditions(arguments.rules) if WHOLE_TEXT not in source]
    watcher = AutomatonMatcher([compile_condition(source) for source in sources])
    watcher.prewarm(code(PREWARMED, 1))
    gc.collect()
    gc.freeze()
    print(f"{len(sources)} rules, code, deltas of {DELTA} units; milliseconds for the whole message")
    print(f"{'length':>9} {'here':>10} {'reference':>12} {'ratio':>9}")
    machine = Machine()
    for length in arguments.lengths:
        text = code(length + 1_000, length)
        ours = cost_of(watcher, [text[:length]], DELTA, machine).total * 1e3
        theirs = reference_cost(program, sources, text, length)
        print(f"{length:9} {ours:10.2f} {theirs:12.1f} {theirs / ours:9.0f}")


def reference_cost(program: str, sources: list[str], text: str, length: int) -> float:
    """Milliseconds that the reference's manager takes for the first `length` characters, from samples."""
    lengths = [length * (2 * part + 1) // (2 * SAMPLED) for part in range(SAMPLED)]
    sampled = sampling(reference_command(program), sources, text, lengths)
    if sampled is None:
        sys.exit("The reference took too long.")
    if sampled.registered != len(sources) or any(cost.matched for cost in sampled.costs):
        sys.exit(f"The reference took {sampled.registered} of {len(sources)} rules, or one of them matched.")
    # Each sample stands for a tenth of the deltas.
    return sum(cost.median for cost in sampled.costs) * (length / DELTA) / SAMPLED


if __name__ == "__main__":
    main()
