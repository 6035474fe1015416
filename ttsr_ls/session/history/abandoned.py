"""The reasons why tool calls have no result, as the model sees them (spec I2).

A model repeats a call that it believes never ran, so a call that may have run is never reported as if it had not.
"""

from __future__ import annotations

from collections.abc import Iterable

STOPPED = "the answer ended before the call could run"
MAY_HAVE_RUN = "it was stopped before it gave a result, and may have done all of its work, a part of it, or none"
"""For a call that could run; its start was not recorded."""
NEVER_RAN = "the turn ended before the call ran"
OTHER_CALL = "a rule stopped another tool call of the same answer"


def abandoned_by_rules(rules: Iterable[str]) -> str:
    """Returns the reason for a call that rules interrupted, or whose answer they interrupted in prose."""
    name = ", ".join(dict.fromkeys(rules))
    return f"stopped by the rules {name}" if ", " in name else f"stopped by the rule {name}"
