"""Matches a translated pattern with the PyPI package `regex`, within a bound of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ttsr_ls.esregex.allowance import UNLIMITED, Allowance, now
from ttsr_ls.esregex.errors import MatchLimitExceeded
from ttsr_ls.esregex.matcher import TIME_LIMIT
from ttsr_ls.esregex.translate import Translation
from ttsr_ls.text import Span

if TYPE_CHECKING:
    import regex


class _Program:
    """The source of a matcher, and what `regex` makes of it at the first search of any matcher that shares it.

    Importing `regex` alone takes 20 ms, and many never search.
    """

    __slots__ = ("compiled", "source")

    def __init__(self, source: str) -> None:
        self.source = source
        self.compiled: regex.Pattern[str] | None = None


class RegexMatcher:
    """Compiles its translation at the first search."""

    __slots__ = ("_allowance", "_program", "_time_limit")

    def __init__(
        self,
        translation: Translation,
        time_limit: float = TIME_LIMIT,
        allowance: Allowance = UNLIMITED,
        program: _Program | None = None,
    ) -> None:
        self._program = _Program(translation.source) if program is None else program
        self._allowance = allowance
        self._time_limit = time_limit

    def search(self, units: str, start: int = 0) -> Span | None:
        """See `Matcher.search`; raises `MatchLimitExceeded` after `time_limit` seconds."""
        allowance = self._allowance
        seconds = min(self._time_limit, allowance.left)
        if seconds <= 0:
            raise MatchLimitExceeded("Other matches took all the time")
        compiled = self._program.compiled
        since = now()
        try:
            if compiled is None:
                compiled = self._program.compiled = _compile(self._program.source)
            # `concurrent` lets other threads run meanwhile: without it, a slow search would stall the whole process.
            found = compiled.search(units, start, timeout=seconds, concurrent=True)
        except TimeoutError:
            raise MatchLimitExceeded("Matching took longer than it may") from None
        finally:
            allowance.take_off(since)
        return None if found is None else Span(*found.span())

    def test(self, units: str) -> bool:
        """See `Matcher.test`."""
        return self.search(units) is not None

    def sharing(self, allowance: Allowance) -> RegexMatcher:
        """See `Matcher.sharing`."""
        return RegexMatcher(Translation(self._program.source), self._time_limit, allowance, self._program)


def _compile(source: str) -> regex.Pattern[str]:
    import regex

    # Its cache would keep hundreds of patterns alive that nobody uses any more.
    return regex.compile(source, regex.V1 | regex.ASCII | regex.DOTALL, cache_pattern=False)
