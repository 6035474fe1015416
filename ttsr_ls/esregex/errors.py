"""The errors of patterns: a syntax error, and an exceeded limit."""

from __future__ import annotations

from ttsr_ls.errors import TtsrError
from ttsr_ls.text import Span


class RegexSyntaxError(TtsrError):
    """The pattern is no ECMAScript regular expression.

    `message` states the error and, if known, what to write instead. `span` is the offending part, in UTF-16 code units
    of the pattern.
    """

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.message = message
        self.span = span


class MatchLimitExceeded(TtsrError):
    """A search reached its limit of steps or time. Whether there is a match is unknown."""
