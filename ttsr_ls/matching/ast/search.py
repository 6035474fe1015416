"""The interface for evaluating AST conditions (spec A).

Parsing is native code that can take minutes and, on hostile patterns and texts, crashes its process. Therefore it is
behind this protocol: `isolation.ast_process` runs it in a process that can be stopped, and the engine itself never runs
it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Protocol

from ttsr_ls.text import Span

MAX_AST_TEXT = 1024 * 1024
"""A longer text, in code points, is not parsed: grammars take up to half a second for one of this length."""

MAX_AST_PATTERN = 1000
"""A longer pattern, in code points, matches nothing: deeply nested ones overflow the native stack."""


class AstFailure(StrEnum):
    """The reason why there is no answer. The value is shown to users."""

    TEXT = "the text is too long, or takes too long to parse"
    PATTERN = "the pattern takes too long to match"
    EXHAUSTED = "parsing failed so often that it is not tried any more"
    UNAVAILABLE = "AST conditions cannot be evaluated here"


AstAnswer = Span | AstFailure | None
"""The first node that a pattern matches, in code points of the text; None where it matches none or is no pattern."""


AstMatches = tuple[Span, ...] | AstFailure
"""The nodes that a pattern matches, in order of the text, in code points; none where it is no pattern."""


class PatternShape(StrEnum):
    """The shape of a pattern in a language."""

    NODE = "node"
    """One node, or part of one: it can match."""
    SEVERAL = "several"
    """Several nodes side by side: it matches nothing."""
    NOTHING = "nothing"
    """No code at all: it matches nothing."""
    BROKEN = "broken"
    """It cannot be parsed as it is, and matches at most a text with the same mistake."""
    UNKNOWN = "unknown"
    """AST search is not available, or took too long."""


class PatternShapes(Protocol):
    """Interface of a parser that determines the shapes of AST patterns."""

    def shape(self, pattern: str, language: str) -> PatternShape:
        """Returns the shape of a pattern in a language, one of `languages.GRAMMARS`. Never raises for its arguments."""


class AstSearch(Protocol):
    """Finds nodes of a text's syntax tree by ast-grep patterns, with strictness *smart*."""

    def search(self, text: str, language: str, patterns: Sequence[str]) -> tuple[AstAnswer, ...]:
        """Returns an answer for each pattern; `language` is one of `languages.GRAMMARS`. Never raises for its
        arguments.

        A lone surrogate is treated as U+FFFD.
        """


class AstMatchesSearch(AstSearch, Protocol):
    """An `AstSearch` that can also find all nodes that a pattern matches."""

    def search_all(self, text: str, language: str, patterns: Sequence[str], limit: int) -> list[AstMatches]:
        """The same as `search`, for at most `limit` nodes of each pattern; `limit` is at least 1."""


class AstBatch(Protocol):
    """Searches many texts concurrently: a caller can ask about the next text before the answers arrive."""

    def ask_all(self, text: str, language: str, patterns: Sequence[str], limit: int) -> Callable[[], list[AstMatches]]:
        """Starts a search like `AstMatchesSearch.search_all`. The returned function waits for the answers."""


class NoAstSearch:
    """An `AstSearch` without an implementation: it always answers `UNAVAILABLE`."""

    def search(self, text: str, language: str, patterns: Sequence[str]) -> tuple[AstAnswer, ...]:
        return tuple(AstFailure.UNAVAILABLE for _ in patterns)

    def search_all(self, text: str, language: str, patterns: Sequence[str], limit: int) -> list[AstMatches]:
        return [AstFailure.UNAVAILABLE for _ in patterns]

    def ask_all(self, text: str, language: str, patterns: Sequence[str], limit: int) -> Callable[[], list[AstMatches]]:
        return lambda: [AstFailure.UNAVAILABLE for _ in patterns]
