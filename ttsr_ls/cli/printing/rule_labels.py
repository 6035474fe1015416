"""Names of rules in tables: with the dialect where rules of several dialects have one name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def rule_labels(rules: Sequence[tuple[str, str]]) -> list[str]:
    """Returns a label for each rule, given by its name and its dialect; no rule is given twice."""
    times = Counter(name for name, _ in rules)
    return [name if times[name] == 1 else f"{name} ({dialect})" for name, dialect in rules]
