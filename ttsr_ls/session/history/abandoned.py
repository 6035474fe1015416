"""Why tool calls came to no result, in the words that the model may see (spec I2).

A model that takes a call for never run runs it again, so what may have run is never told as if it had not.
"""

from __future__ import annotations

from collections.abc import Iterable

STOPPED = "the answer ended before the call could run"
MAY_HAVE_RUN = "it was stopped before it gave a result, and may have done all of its work, a part of it, or none"
"""For a call that could run; its start was not recorded."""
NEVER_RAN = "the turn ended before the call ran"
OTHER_CALL = "a rule stopped another tool call of the same answer"


def by_rules(rules: Iterable[str]) -> str:
    """The call itself was what the rules stopped, or prose of its answer was."""
    named = ", ".join(dict.fromkeys(rules))
    return f"stopped by the rules {named}" if ", " in named else f"stopped by the rule {named}"
