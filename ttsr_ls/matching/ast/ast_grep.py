"""Matches ast-grep patterns with the PyPI package `ast-grep-py`, in this process.

The only module that uses the package, which is imported when the first text is parsed. A search cannot be stopped and
may crash the process, so only `isolation.ast_worker` uses this module, and tests with known texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from ttsr_ls.errors import UsageError
from ttsr_ls.matching.ast.languages import GRAMMARS
from ttsr_ls.matching.ast.required_words import RequiredWords, required_words_of
from ttsr_ls.matching.ast.search import MAX_AST_PATTERN, PatternShape
from ttsr_ls.text import Span

if TYPE_CHECKING:
    from ast_grep_py import SgNode

# The package refuses these; for the reference, "any nodes" match every text, even an empty one (recorded).
_ANY_NODES = re.compile(r"\$\$\$(?:[A-Z_][A-Z0-9_]*)?")
_METAVARIABLE = re.compile(r"\$+([A-Z_][A-Z0-9_]*)?")
_SEVERAL = re.compile(r"\$\$\$([A-Z_][A-Z0-9_]*)?")
# What may stand for `$A`, and for `$$$`: a name, nothing, a statement, a member of a class or an object, a parameter.
_NAME = "zq"
_STAND_INS = (
    (_NAME, _NAME), (_NAME, ""), (_NAME, f"{_NAME};"), (_NAME, f"int {_NAME};"), (_NAME, f"{_NAME}: {_NAME}"),
    (_NAME, f"{_NAME} int"), (f"{_NAME}()", ""),
)  # fmt: skip
_ONLY_STAND_INS = re.compile(rf"(?:{_NAME}|int|[\s;:()])*")
_NO_TEXT = re.compile(r"\s*")
# In other languages, some patterns with errors match code without errors, such as `if $A then $B end` in Lua.
_WITH_EXACT_ERRORS = frozenset({"go", "javascript", "python", "rust", "tsx", "typescript"})
_WITHOUT_WORD_NODES = frozenset({"markdown"})
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class ParsedText:
    """A text with its syntax tree."""

    __slots__ = ("_length", "root")

    def __init__(self, text: str, language: str) -> None:
        """Parses the text. Raises `UsageError` for a language that is not in `GRAMMARS`, ImportError without the
        package.
        """
        if language not in GRAMMARS:
            # The package would panic, which no `except Exception` catches.
            raise UsageError(f"there is no grammar called '{language}'")
        from ast_grep_py import SgRoot

        self._length = len(text)
        self.root: SgNode = SgRoot(encodable(text), language).root()

    @property
    def has_errors(self) -> bool:
        """True if the parser had to skip or insert nodes."""
        return _has_error(self.root)

    def find_all(self, pattern: str, limit: int) -> tuple[Span, ...]:
        """Returns the spans of the first `limit` nodes that `pattern` matches, in code points, in order of the text;
        none for an invalid pattern (spec A2, A4).
        """
        trimmed = pattern.strip()
        if _ANY_NODES.fullmatch(trimmed):
            return (Span(0, self._length),)
        if not trimmed or len(trimmed) > MAX_AST_PATTERN:
            return ()
        try:
            nodes = self._nodes(encodable(trimmed), limit)
        except RuntimeError:
            # The pattern is not one node of this language; the reference reports nothing either.
            return ()
        # `range` also counts the columns from the start of the line: on one long line it takes quadratic time.
        edits = (node.replace("") for node in nodes)
        return tuple(Span(edit.start_pos, edit.end_pos) for edit in edits)

    def _nodes(self, pattern: str, limit: int) -> list[SgNode]:
        if limit > 1:
            return self.root.find_all(pattern=pattern)[:limit]
        first = self.root.find(pattern=pattern)
        return [] if first is None else [first]


def shape_of(pattern: str, language: str) -> PatternShape:
    """Returns the shape of a pattern. Raises as `ParsedText` does."""
    trimmed = encodable(pattern.strip())
    if _ANY_NODES.fullmatch(trimmed):
        return PatternShape.NODE
    if len(trimmed) > MAX_AST_PATTERN:
        return PatternShape.UNKNOWN
    # The package parses a pattern only to search for it, so search a text that the pattern should match.
    root = ParsedText(_METAVARIABLE.sub("x", trimmed), language).root
    try:
        node = root.find(pattern=trimmed)
    except RuntimeError as error:
        # The package has one type for all its errors, so only the message tells them apart; a test checks it.
        return PatternShape.SEVERAL if "Multiple AST nodes" in str(error) else PatternShape.NOTHING
    if node is not None and node.kind() == "ERROR":
        is_broken = _is_unbalanced(trimmed)
    else:
        # Code may be valid where a stand-in is an error. If the pattern does not even match itself, every error counts,
        # except in Rust, where `impl $A { $B }` matches code but not itself.
        harmless = _NO_TEXT if node is None and language != "rust" else _ONLY_STAND_INS
        is_suspicious = language in _WITH_EXACT_ERRORS and (node is None or _has_error(node))
        is_broken = is_suspicious and _has_error_with_all_stand_ins(trimmed, language, harmless)
    return PatternShape.BROKEN if is_broken else PatternShape.NODE


def _has_error_with_all_stand_ins(pattern: str, language: str, harmless: re.Pattern[str]) -> bool:
    """Returns whether the parser finds an error that is not `harmless` with each of the stand-ins for metavariables.

    No stand-in is valid everywhere: a name is no member of a class.
    """
    for one, several in _STAND_INS:
        text = _METAVARIABLE.sub(one, _SEVERAL.sub(several, pattern))
        if all(harmless.fullmatch(error.text()) for error in _errors(ParsedText(text, language).root)):
            return False
    return True


def _has_error(node: SgNode) -> bool:
    return next(_errors(node), None) is not None


def _errors(node: SgNode) -> Iterator[SgNode]:
    pending = [node]
    while pending:
        node = pending.pop()
        if node.kind() == "ERROR":
            yield node
        pending += node.children()


def _is_unbalanced(pattern: str) -> bool:
    # Many fragments of code are errors to the parser and still match code. Those with unbalanced brackets do not.
    return any(pattern.count(left) != pattern.count(right) for left, right in ("()", "[]", "{}"))


@lru_cache(maxsize=10_000)
def required_words(pattern: str, language: str) -> RequiredWords:
    """Returns the words that every text in which `pattern` matches contains (`has_required_words`); other texts need
    not be parsed.

    Empty if the parser repaired errors in the pattern, and for Markdown, whose grammar has no nodes for words. Raises
    as `ParsedText` does.
    """
    trimmed = encodable(pattern.strip())
    if language in _WITHOUT_WORD_NODES or len(trimmed) > MAX_AST_PATTERN:
        return ()
    # Not every grammar accepts a `$` in a name, so names replace the metavariables.
    parsed_text = ParsedText(_METAVARIABLE.sub("x", trimmed), language)
    return () if parsed_text.has_errors else required_words_of(trimmed)


def encodable(text: str) -> str:
    """Returns `text` without lone surrogates, which UTF-8 cannot encode. All offsets stay the same."""
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)
