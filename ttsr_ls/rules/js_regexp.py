"""A `RegExp` object of ECMAScript: with the flags `g` and `y`, `test` continues from the end of its last match."""

from __future__ import annotations

from ttsr_ls.rules.condition import Condition
from ttsr_ls.syntax.pi.pattern import PiFlags
from ttsr_ls.text import Span


class JsRegExp:
    """A `RegExp` object of JavaScript with its `lastIndex`.

    With the flags `g` or `y`, a test starts where the previous match ended, even if that match was in another text.
    """

    __slots__ = ("_condition", "_flags", "last_index")

    def __init__(self, condition: Condition, flags: PiFlags) -> None:
        self._condition = condition
        self._flags = flags
        self.last_index = 0
        """Where the next test begins, in units."""

    def find(self, units: str) -> Span | None:
        """Returns the match that `test` finds in a text; None without one (ECMA-262, RegExpBuiltinExec).

        Raises `MatchLimitExceeded`; the object is then unchanged.
        """
        if not self._flags.is_stateful:
            return self._condition.matcher.search(units)
        span = self._condition.matcher.search(units, self.last_index) if self.last_index <= len(units) else None
        # If any match begins at `last_index`, the leftmost one does.
        if span is not None and self._flags.is_sticky and span.start != self.last_index:
            span = None
        self.last_index = 0 if span is None else span.end
        return span
