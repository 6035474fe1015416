"""Checks thousands of hostile rule files, and tells the slowest: `python tests/lint/fuzz.py [COUNT [SEED]]`.

Whatever makes a check raise ends the run, with the file's text as a Python literal, to be made a test.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parent)]

from hostile_files import hostile_files  # noqa: E402 - only found by the path above
from test_fuzzed_files import seconds_to_check  # noqa: E402


def main(count: int, seed: int) -> int:
    """Runs; the status is 1 where a check raised."""
    slowest, slowest_data = 0.0, b""
    began = time.process_time()
    for number, data in enumerate(hostile_files(count, seed)):
        try:
            took = seconds_to_check(data)
        except Exception as error:  # Whatever it is, the file that did it is what we are here for.
            print(f"file {number} of seed {seed}: {type(error).__name__}: {error}\n{data!r}")
            return 1
        if took > slowest:
            slowest, slowest_data = took, data
    total = time.process_time() - began
    print(f"{count} files in {total:.1f} s of processor time; the slowest took {slowest * 1000:.0f} ms:")
    print(repr(slowest_data[:400]))
    return 0


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:]]
    sys.exit(main(*numbers, *(10_000, 1)[len(numbers) :]))
