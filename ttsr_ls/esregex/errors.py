"""The errors of patterns: one that cannot be read, and one whose matching went on for too long."""

from __future__ import annotations

from ttsr_ls.errors import TtsrError
from ttsr_ls.text import Span


class RegexSyntaxError(TtsrError):
    """The pattern is no ECMAScript regular expression.

    `message` says what is wrong and, where that is known, what to write instead; `span` is the culprit, in UTF-16 code
    units of the pattern.
    """

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.message = message
        self.span = span


class MatchLimitExceeded(TtsrError):
    """Matching was given up because its bound of steps or time was reached; whether there is a match is not known."""
