"""The process that counts: `python -m ttsr_ls.lsp.match_counts.count_worker`, started only by `match_counter`.

Reads a `CountRequest` from each line of its input, and answers with a line of JSON: a `MatchCount`, or null. It ends at
the end of its input. It runs with a low priority.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress

import msgspec

from ttsr_ls.lsp.match_counts.counting import count_matches
from ttsr_ls.lsp.match_counts.match_count import CountRequest
from ttsr_ls.typed_values import json_decoder

_NICE = 10
_DECODER = json_decoder(CountRequest)


def main() -> None:
    """Answers until there are no more requests."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(AttributeError, OSError):  # Not every system has it.
        os.nice(_NICE)
    for line in sys.stdin.buffer:
        answer = count_matches(_DECODER.decode(line))
        sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
