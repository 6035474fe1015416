"""The location of a trigger in the file that a call writes."""

from __future__ import annotations

import json

from tests.bridge.adapters.claude_stream import answer, result, to_bytes, tool
from tests.bridge.watch.watching import MemoryLog, rules, watch
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.session.history.turn_events import Extent, Target
from ttsr_ls.text import Position


def test_the_target_of_a_match_that_begins_with_a_line_end_is_its_first_visible_line() -> None:
    commented = json.dumps({"file_path": "src/a.ts", "content": "let a;\n\n  // why\nlet c;\n"})
    log = MemoryLog()
    comments = rules(comments="---\ncondition: '(?:^|\\n)[ ]*// why'\nscope: tool:write\n---\nx\n")
    watch(to_bytes([*answer(tool("Write", [commented])), result()]), log, comments, Matching.STABLE)
    (trigger,) = log.triggers
    assert trigger.target == Target("src/a.ts", Extent.WHOLE, Position(2, 2), Position(2, 8), "  // why")
    assert trigger.excerpt.text[trigger.excerpt.start : trigger.excerpt.end] == "\n  // why"
