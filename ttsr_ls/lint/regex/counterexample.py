"""Finds a text that proves a condition end-sensitive: its beginning matches, and the whole text does not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from msgspec import Struct

from ttsr_ls.esregex.finality.finality import final_form
from ttsr_ls.esregex.match.backtrack import BacktrackMatcher
from ttsr_ls.esregex.tree.nodes import Assertion, AssertionKind, Look, LookKind, Node, children
from ttsr_ls.lint.regex.joint_samples import joint_samples
from ttsr_ls.lint.regex.samples import sample_texts
from ttsr_ls.rules.condition import Condition

# Continuations of a text, readable ones first: more of a word, its end, the end of the line and of a string.
_GENERAL = ("s", "x", "_", " ", "\n", "1", ".", ";", ")", '"', "\n\n", "s s", " s", *",({[}]:=-/<>+'")

_QUOTES = frozenset("\"'`")
# The header of a compound statement in Python up to its colon, at the end of a text.
_HEADER = re.compile(
    r"(?:\A|\n)[ \t]*(?:async[ \t]+)?(?:if|elif|else|for|while|try|except|finally|with|def|class)\b[^\n]*:[ \t]*\Z"
)
# Only a word that stands alone may be the beginning of a longer one: `add` in `git add` is no beginning of `address`.
_ONLY_WORD = re.compile(r"\W*(\w+)", re.ASCII)
_WORD_GOES_ON = re.compile(r"\w\w", re.ASCII)
_OPTION = re.compile(r"(?<=\w)(?=--\w)")
_MAX_TRIED_FIRST = 4
_STEPS = 100_000
"""The most steps for one short text, about a tenth of a second: the check runs while its author types."""


class CounterExample(Struct, frozen=True):
    """A text `shown` that matches at the end of a delta, while `shown + rest` does not match. Both are units."""

    shown: str
    rest: str

    @property
    def is_longer_word(self) -> bool:
        """True if the rest continues the last word."""
        return _WORD_GOES_ON.search(self.shown[-1:] + self.rest[:1]) is not None


def find_counterexample(condition: Condition, undecided_nodes: tuple[Node, ...]) -> CounterExample | None:
    """Returns a short counter-example, if a bounded search finds one. A longer word, at which `\\b` fires a delta too
    early, is only returned if there is no other.

    `undecided_nodes` are the nodes that look past the end. Raises `MatchLimitExceeded` if the condition takes too long
    even on a short text.
    """
    # This matcher counts its steps, so that the answer is the same on every machine.
    matcher = BacktrackMatcher(condition.pattern, _STEPS)
    final: BacktrackMatcher | None = None
    longer_word: CounterExample | None = None
    has_boundary = any(is_word_boundary(node) for node in undecided_nodes)
    at_line_end = all(isinstance(node, Assertion) and node.kind is AssertionKind.LINE_END for node in undecided_nodes)
    for sample in chain(_add_blanks(sample_texts(condition.pattern.root)), _joint(condition, undecided_nodes)):
        if not matcher.test(sample):
            continue
        for tried, rest in enumerate(_add_blanks_between(sample, continuations(undecided_nodes))):
            if tried == _MAX_TRIED_FIRST:
                # Usually an example is found by now. If the match is final, there can be none.
                final = final or BacktrackMatcher(final_form(condition.pattern), _STEPS)
                if final.test(sample):
                    break
            if not matcher.test(sample + rest) and not (at_line_end and _is_unusual(sample, rest)):
                example = CounterExample(sample, rest)
                if not (has_boundary and example.is_longer_word):
                    return example
                longer_word = longer_word or example
    return longer_word


def is_word_boundary(node: Node) -> bool:
    """Returns whether a node is `\\b`."""
    return isinstance(node, Assertion) and node.kind is AssertionKind.WORD_BOUNDARY


def _add_blanks(texts: Iterable[str]) -> Iterator[str]:
    """Yields each text with a blank before an option, as in a command, and then unchanged."""
    for text in texts:
        spaced = _OPTION.sub(" ", text)
        if spaced != text:
            yield spaced
        yield text


def _add_blanks_between(sample: str, rests: Iterable[str]) -> Iterator[str]:
    """Yields each continuation of `sample`. One that begins with an option comes first with a blank before it."""
    for rest in rests:
        if _OPTION.search(sample + rest, len(sample)) is not None and rest.startswith("--"):
            yield f" {rest}"
        yield rest


def _joint(condition: Condition, undecided_nodes: tuple[Node, ...]) -> Iterator[str]:
    """Yields texts for several lookaheads at once, if a negative lookahead is undecided. The last resort."""
    if any(isinstance(node, Look) and node.kind is LookKind.NOT_AHEAD for node in undecided_nodes):
        yield from joint_samples(condition.pattern)


def _is_unusual(sample: str, rest: str) -> bool:
    """Returns whether `rest` rarely follows `sample`, or the author wants a match there as well."""
    # A closing quote ends the word. A statement on the line of its header, `except: pass`, is meant like one below it.
    return (sample[-1:] in _QUOTES and (rest[:1].isalnum() or rest[:1] == "_")) or _HEADER.search(sample) is not None


def find_longer_word(condition: Condition, longer: Mapping[str, str]) -> CounterExample | None:
    """Returns a word of `longer` that the condition matches by itself, with its longer word that the condition does not
    match.

    Raises `MatchLimitExceeded` as `find_counterexample` does.
    """
    matcher = BacktrackMatcher(condition.pattern, _STEPS)
    for sample in sample_texts(condition.pattern.root):
        word = _ONLY_WORD.fullmatch(sample)
        whole = None if word is None else longer.get(word[1])
        if word is None or whole is None:
            continue
        rest = whole[len(word[1]) :]
        if matcher.test(sample) and not matcher.test(sample + rest):
            return CounterExample(sample, rest)
    return None


def continuations(undecided_nodes: tuple[Node, ...]) -> Iterator[str]:
    """Yields possible continuations of a text: those that the lookarounds in `undecided_nodes` test, then others."""
    seen: set[str] = set()
    for node in undecided_nodes:
        if isinstance(node, Look):
            for text in sample_texts(_innermost_body(node)):
                if text and text not in seen:
                    seen.add(text)
                    yield text
    yield from (text for text in _GENERAL if text not in seen)


def _innermost_body(lookaround: Look) -> Node:
    """Returns the body of a lookaround, or of the only lookaround inside it."""
    node: Node = lookaround
    while isinstance(node, Look):
        node = children(node)[0]
    return node if not isinstance(node, Assertion) else lookaround
