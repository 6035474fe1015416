"""What a text has to have for an AST pattern to match in it, told without parsing the text.

Words are nodes, or parts of them, so a match has them all, in order. Between two that are neighbours in the pattern, a
match has what the pattern has there, and nothing more but blanks, comments, and tokens that no node stands for: marks
and keywords (ast-grep's strictness *smart*).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

Needs = tuple[tuple[str, ...], ...]
"""Words in lower case, alone or in pairs; the second of a pair may be an opening parenthesis."""

_METAVARIABLE = re.compile(r"\$+(?:[A-Z_][A-Z0-9_]*(?![A-Za-z0-9_]))?")
_TOKEN = re.compile(r"[A-Za-z0-9_]+|[^\sA-Za-z0-9_]")
_IN_WORDS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")
_COMMENTS = ("//", "/*", "#", "--", "<!--", "{-", "(*")
_KEYWORDS = """
abstract actual alias alignas alignof and any as asm assert associatedtype async at attribute auto await base become
begin bool break by byte call case catch chan checked class co_await co_return co_yield command comptime concept const
constexpr constructor continue contract covariant crate data decltype declare def default defer del delegate delete
deriving deinit die do done dyn each elif else elsif elseif emit end endif endfor endforeach endwhile enum error esac
event except exclude explicit export extends extension extern external factory fallthrough fi final finally fixed fn
for forall foreach fragment friend from fun func function functor get given global go goto guard hiding hide if
implements impl implicit import in include indirect infer infix infixl infixr init inline inout instance instanceof
insteadof interface internal into is isolated it join keyof lambda late lazy left let local lock long loop macro map
match memory method mixin mod modifier module move mut mutable mutating namespace native new newtype nil noexcept
nonlocal noreturn not null object of on only open operator optional or orderby out outer override package params
partial payable pass postfix pragma precedence prefix private proc protected proto protocol pub public pure qualified
raise range raw readonly rec receive record ref register rescue required requires reserved restrict rethrow return
returns revert right satisfies sealed select self sequence set shared short show signed sizeof some stackalloc static
storage strict struct subscript super suspend switch sync synchronized template then this throw throws to trait
transient transitive try type typealias typedef typeof typename unchecked union unique unless unmanaged unowned unsafe
unset unsigned until unwind use using val value var vararg view virtual void volatile weak when where while willset
with xor yield
"""
_TRIVIA = rf"(?:[^a-z0-9_]|(?:{'|'.join(_KEYWORDS.split())})(?![a-z0-9_]))*"
# In broken code, parsers leave out a word or two to make sense of the rest, and the nodes around them match.
_GAP = re.compile(rf"{_TRIVIA}(?:[a-z0-9_]+{_TRIVIA}){{0,3}}")
_LONGEST_GAP = 400


def needs_of(pattern: str) -> Needs:
    """What a pattern needs, if the parser found no fault in it, in a language that has nodes for words."""
    needs: dict[tuple[str, ...], None] = {}
    # A metavariable stands for whatever there is, between words that are then no neighbours.
    for part in _METAVARIABLE.split(pattern):
        word = previous = ""
        for token in _TOKEN.findall(part.lower()):
            if token[0] in _IN_WORDS:
                if len(token) > 1:
                    needs[token,] = None
                if word:
                    needs[word, token] = None
                word = token
            elif token == "(" and word and previous == word:
                needs[word, token] = None
            previous = token
    return tuple(sorted(needs, key=len))


def has_needs(lower: str, needs: Iterable[tuple[str, ...]]) -> bool:
    """Whether a text, which is given in lower case, has all that a pattern needs. Costs as little as can be."""
    return all(need[0] in lower for need in needs) and all(_has_word(lower, *need) for need in needs)


def _has_word(lower: str, word: str, following: str = "") -> bool:
    at = lower.find(word)
    while at >= 0:
        end = at + len(word)
        is_whole = (at == 0 or lower[at - 1] not in _IN_WORDS) and lower[end : end + 1] not in _IN_WORDS
        if is_whole and (not following or _follows(lower, end, following)):
            return True
        # No word starts within this one.
        at = lower.find(word, end)
    return False


def _follows(lower: str, start: int, token: str) -> bool:
    found = _GAP.match(lower, start, start + _LONGEST_GAP)
    end = start if found is None else found.end()
    if end - start >= _LONGEST_GAP:
        return True
    gap = lower[start:end]
    if any(mark in gap for mark in _COMMENTS):
        return True
    # A keyword is in the gap, other words end it.
    return token in gap if token == "(" else _has_word(lower[start : end + len(token) + 1], token)
