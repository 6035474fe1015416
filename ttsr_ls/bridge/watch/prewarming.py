"""The text with which the matchers of a session are prewarmed, so that the first message of an agent costs little more
than later ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ttsr_ls.rules.rule import Rule

MAX_RULE_TEXT = 50_000
"""The most characters of the rules' bodies; more change little (docs/performance.md)."""
_MAX_CONDITIONS = 128
"""The most conditions for which typical output is used. With more, it slowed down half of the first messages."""
_TYPICAL_OUTPUT = Path(__file__).with_name("typical_output.txt")


def prewarming_text(rules: Iterable[Rule]) -> str:
    """Returns text like the expected output of an agent with these rules.

    It has the rules' bodies, whose subjects the agent writes about; and typical code, prose, and data.
    """
    all_rules = [*rules]
    bodies = "\n".join(rule.body for rule in all_rules)[:MAX_RULE_TEXT]
    if sum(len(rule.conditions) for rule in all_rules) > _MAX_CONDITIONS:
        return bodies
    return f"{bodies}\n{_TYPICAL_OUTPUT.read_text(encoding='utf-8')}"
