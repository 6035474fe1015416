"""No delta imports a package: `regex`, which compiles large classes, takes 20 ms."""

from __future__ import annotations

import subprocess
import sys

import pytest

_STREAMED = """
import sys
from ttsr_ls.matching.streams.automaton_matcher import AutomatonMatcher
from ttsr_ls.rules.condition import compile_condition

condition, text = sys.argv[1:]
# Searches for the first 50 conditions are prepared in advance.
conditions = [*(f"x{number}" for number in range(60)), condition]
matcher = AutomatonMatcher([compile_condition(each) for each in conditions])
matcher.prewarm("")
before = set(sys.modules)
stream = matcher.open()
stream.append(text)
stream.end()
assert stream.match_at_end(60) is not None
print(sorted({"regex"} & before), sorted(set(sys.modules) - before))
"""


@pytest.mark.parametrize(
    ("condition", "text", "imported"),
    [
        (r"[\u4e00-\u9fa5]+!", "一丁!", "['regex'] []"),
        ("[一-龥]+!", "一丁!", "['regex'] []"),
        (r"\w+!", "ab!", "[] []"),
    ],
)
def test_prewarming_imports_what_deltas_need(condition: str, text: str, imported: str) -> None:
    command = [sys.executable, "-c", _STREAMED, condition, text]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == imported
