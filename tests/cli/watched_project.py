"""Shared by tests of `watch`: a recorded run of an agent, and a rule that it breaks."""

from __future__ import annotations

from pathlib import Path

SAMPLE = Path(__file__).parents[1] / "samples" / "claude" / "print-partial.jsonl"
RULE = "---\ncondition: import deprecated_module\n---\nUse new_module.\n\nIt is newer.\n"
