"""The text that the matchers of a session are prewarmed with, so that the first message of an agent costs little more
than later ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ttsr_ls.rules.rule import Rule

MAX_RULE_TEXT = 50_000
"""The most that is read of the rules' bodies, in characters; more changes little (docs/performance.md)."""
_MAX_CONDITIONS = 128
"""With more, the typical output made half of the measured first messages slower."""
_TYPICAL_OUTPUT = Path(__file__).with_name("typical_output.txt")


def prewarming_text(rules: Iterable[Rule]) -> str:
    """Returns text like that which an agent with these rules is going to write.

    It writes about what its rules speak of; and code, in the languages of most projects, prose, and data.
    """
    known = [*rules]
    bodies = "\n".join(rule.body for rule in known)[:MAX_RULE_TEXT]
    if sum(len(rule.conditions) for rule in known) > _MAX_CONDITIONS:
        return bodies
    return f"{bodies}\n{_TYPICAL_OUTPUT.read_text(encoding='utf-8')}"
