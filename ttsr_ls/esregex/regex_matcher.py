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


class RegexMatcher:
    """Compiles its translation at the first search: importing `regex` alone takes 20 ms, and many never search."""

    __slots__ = ("_allowance", "_compiled", "_source", "_time_limit")

    def __init__(
        self, translation: Translation, time_limit: float = TIME_LIMIT, allowance: Allowance = UNLIMITED
    ) -> None:
        self._source = translation.source
        self._allowance = allowance
        self._time_limit = time_limit
        self._compiled: regex.Pattern[str] | None = None

    def search(self, units: str, start: int = 0) -> Span | None:
        """See `Matcher.search`; raises `MatchLimitExceeded` after `time_limit` seconds."""
        allowance = self._allowance
        seconds = min(self._time_limit, allowance.left)
        if seconds <= 0:
            raise MatchLimitExceeded("Other matches took all the time")
        compiled = self._compiled
        since = now()
        try:
            if compiled is None:
                compiled = self._compiled = _compile(self._source)
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


def _compile(source: str) -> regex.Pattern[str]:
    import regex

    # Its cache would keep hundreds of patterns alive that nobody uses any more.
    return regex.compile(source, regex.V1 | regex.ASCII | regex.DOTALL, cache_pattern=False)
