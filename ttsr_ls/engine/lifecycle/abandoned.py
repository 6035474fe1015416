"""Why tool calls of an answer that ended early never ran, in the words that the model may see (semantics.md I2)."""

from __future__ import annotations

from collections.abc import Iterable

STOPPED = "the answer ended before the call could run"
OTHER_CALL = "a rule stopped another tool call of the same answer"


def by_rules(rules: Iterable[str]) -> str:
    """The call itself was what the rules stopped, or prose of its answer was."""
    named = ", ".join(dict.fromkeys(rules))
    return f"stopped by the rules {named}" if ", " in named else f"stopped by the rule {named}"
