"""The observer has a small cost for each delta, also late in a long file.

The cost of searching the text is not included: the rule is for other files.
"""

from __future__ import annotations

import json
import time

import pytest

from tests.bridge.adapters.claude_stream import answer, cut, to_bytes, tool
from tests.bridge.watch.watching import NO_ANY, MemoryLog, claude, observer, rules
from tests.processor_time import is_below

SIZE = 100_000
SOURCE = "export const value: number = compute(1, 2);  // no trouble here\n"


@pytest.mark.parametrize("first_line", ["", "// An em dash — and 漢字.\n", "// 🎉\n"])
def test_a_delta_of_a_long_write_costs_a_hundred_microseconds_at_most(first_line: str) -> None:
    content = first_line + SOURCE * (SIZE // len(SOURCE))
    pieces = cut(json.dumps({"file_path": "/home/dev/shop/a.ts", "content": content}), 25)
    lines = [to_bytes([line]) for line in answer(tool("Write", pieces))]
    best = min(seconds_for(lines) for _ in range(3))
    assert is_below(best / len(lines), 100e-6)


def seconds_for(lines: list[bytes]) -> float:
    adapter, watching = claude(), observer(MemoryLog(), rules(no_any=NO_ANY.replace("*.ts", "*.tsx")))
    start = time.thread_time()
    for line in lines:
        watching.feed(adapter.feed(line), 0)
    return time.thread_time() - start
