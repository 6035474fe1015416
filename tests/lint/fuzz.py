"""Checks thousands of hostile files: each check must end within its time limit, and raise nothing.

`python -m tests.lint.fuzz [COUNT [SEED]]`. The first failure ends the run, and prints the path and the bytes of the
file, from which to make a test. `--fix` fixes each file, too.
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.lint.hostile_files import PATHS, hostile_files
from tests.lint.test_fuzzed_files import LONGEST_CHECK, LONGEST_FIX, seconds_to_check, seconds_to_fix


def main(count: int, seed: int, *, fix: bool) -> int:
    """Runs the checks. Returns 1 if one failed."""
    measure, longest = (seconds_to_fix, LONGEST_FIX) if fix else (seconds_to_check, LONGEST_CHECK)
    slowest, slowest_file = 0.0, b""
    began = time.process_time()
    for number, data in enumerate(hostile_files(count, seed)):
        path = PATHS[number % len(PATHS)]
        try:
            took = measure(data, path)
            assert took < longest, f"it took {took:.1f} s"
        except Exception as error:  # Whatever it is, the file that did it is what we are here for.
            print(f"file {number} of seed {seed}, {path}: {type(error).__name__}: {error}\n{data!r}")
            return 1
        if took > slowest:
            slowest, slowest_file = took, data
    total = time.process_time() - began
    print(f"{count} files in {total:.1f} s of processor time; the slowest took {slowest * 1000:.0f} ms:")
    print(repr(slowest_file[:400]))
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int, nargs="?", default=10_000)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--fix", action="store_true")
    args = parser.parse_args()
    sys.exit(main(args.count, args.seed, fix=args.fix))
