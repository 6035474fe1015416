"""Generates patterns, valid and invalid, with subjects that have a chance to match: the same for the same seed.

Three sorts: patterns grown from a grammar together with a sampler of what they match, rows of random tokens, and grown
patterns with a few edits. It does not use this project's parser, so that a fault there cannot hide itself.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

SEED = 20_000_601
FLAGS = ("", "", "", "", "", "i", "i", "i", "m", "s", "im", "is", "ims")

CHARS = (*"aaaaabbbbbccABkKsSiI", *"012_-^$]}{,:<>= ", *"éÉßſıİςσΣÅµ", "\u212a", "\n", "\r", "\u2028", "😀", "\ud83d")
PLAIN = (*"aaaabbbbccABkKsSiI012_-:=,<> ", *"éÉßſςσ")
TOKENS = (
    *("a", "b", "c", "K", "1", "0", "8", "_", "-", ",", ":", "=", "!", "<", ">", "é", "ſ", "😀", "\ud83d", "\n", " "),
    *("(", ")", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?<n>", "(?<m>", "(?i:", "(?-i:", "(?s-m:", "(?", "|", ")", ")"),
    *("[", "]", "[^", "[a-", "[]", "[^]", "-", "-", "[\\w-", "a-z", "z-a"),
    *("*", "+", "?", "*?", "{2}", "{0,2}", "{1,}", "{,3}", "{", "}", "{1", "{2,1}", "{0}", "??"),
    *("^", "$", ".", "\\b", "\\B", "\\d", "\\W", "\\s", "\\w", "\\S", "\\1", "\\2", "\\k<n>", "\\k", "\\k<", "\\k<m>"),
    *("\\0", "\\01", "\\8", "\\12", "\\377", "\\c", "\\cA", "\\c1", "\\x", "\\x4", "\\x61", "\\u", "\\u0061", "\\u{2}"),
    *("\\", "\\\\", "\\-", "\\]", "\\(", "\\/", "\\p{L}", "\\Z", "\\ud83d", "\\ude00", "\\a", "\\e", "\\n", "\\r"),
)
LEAVES: tuple[tuple[str, str], ...] = (
    *((".", char) for char in "ab1\né"),
    *(("\\d", "1"), ("\\w", "a"), ("\\w", "_"), ("\\s", " "), ("\\s", "\n"), ("\\D", "a"), ("\\W", "-"), ("\\S", "b")),
    *(("\\b", ""), ("\\B", ""), ("^", ""), ("$", ""), ("^", ""), ("$", "")),
    *(("\\x61", "a"), ("\\u0062", "b"), ("\\n", "\n"), ("\\cJ", "\n"), ("\\0", "\0"), ("\\141", "a"), ("\\.", ".")),
    *(
        ("\\8", "8"),
        ("\\k", "k"),
        ("\\c", "\\c"),
        ("{", "{"),
        ("]", "]"),
        ("}", "}"),
        ("{,2}", "{,2}"),
        ("\\u{2}", "uu"),
    ),
    *(("\\ud83d\\ude00", "😀"), ("\\ud83d", "\ud83d"), ("\\u017f", "ſ"), ("\\u212a", "\u212a"), ("\\xE9", "é")),
)
MEMBERS: tuple[tuple[str, str], ...] = (
    *(("a", "a"), ("b", "b"), ("c", "c"), ("A", "A"), ("1", "1"), ("_", "_"), ("é", "é"), ("s", "s"), ("k", "k")),
    *(("a-c", "b"), ("A-C", "B"), ("0-9", "5"), ("_-b", "a"), ("à-ý", "é"), ("\\w-", "-"), ("a-\\d", "3")),
    *(("\\d", "0"), ("\\w", "c"), ("\\s", " "), ("\\D", "a"), ("\\W", "-"), ("\\S", "x"), ("^", "^"), (".", ".")),
    *(
        ("\\b", "\b"),
        ("\\n", "\n"),
        ("\\]", "]"),
        ("\\-", "-"),
        ("\\x61", "a"),
        ("\\c", "c"),
        ("\\c_", "\x1f"),
        ("[", "["),
    ),
    *(("\\ud83d", "\ud83d"), ("😀", "😀"[:1]), ("\\u0100-\\u017f", "ſ"), ("\\141", "a"), ("\\8", "8"), ("-", "-")),
)
QUANTIFIERS = ("*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,2}?", "{1,}", "{0}", "{2,3}", "{0,1}?", "{2,}?")
OPENINGS = (
    "(",
    "(",
    "(",
    "(?:",
    "(?:",
    "(?=",
    "(?!",
    "(?<=",
    "(?<!",
    "(?<n>",
    "(?<m>",
    "(?i:",
    "(?-i:",
    "(?s:",
    "(?m-s:",
)
SILENT = ("(?=", "(?!", "(?<=", "(?<!")

Sampler = Callable[[], str]


@dataclass(frozen=True, slots=True)
class Generated:
    """A pattern with its subjects."""

    flags: str
    source: str
    subjects: tuple[str, ...]


def generate(seed: int, count: int) -> Iterator[Generated]:
    """`count` different patterns."""
    grower = _Grower(random.Random(seed))
    seen: set[tuple[str, str]] = set()
    while len(seen) < count:
        made = grower.make()
        if (made.flags, made.source) not in seen:
            seen.add((made.flags, made.source))
            yield made


class _Grower:
    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def make(self) -> Generated:
        rng = self._rng
        sort = rng.random()
        if sort < 0.25:
            source = "".join(rng.choice(TOKENS) for _ in range(rng.randint(1, 9)))
            sample: Sampler = lambda: self._noise(list(source) + list("ab"))  # noqa: E731
        else:
            source, sample = self._alternatives(rng.randint(1, 3))
            if sort > 0.75:
                source = self._edited(source)
        subjects: dict[str, None] = {}
        wanted = rng.randint(12, 24)
        for _ in range(4 * wanted):
            if len(subjects) < wanted:
                subjects[self._subject(sample)] = None
        return Generated(rng.choice(FLAGS), source, tuple(subjects))

    def _subject(self, sample: Sampler) -> str:
        sort = self._rng.random()
        if sort < 0.3:
            return self._noise(CHARS)[:10]
        text = sample()[:14]
        if sort < 0.6:
            return text
        if sort < 0.75:
            return self._noise(PLAIN)[:2] + text + self._noise(PLAIN)[:2]
        if sort < 0.85:
            return text.swapcase()[:14]
        return self._edited(text)

    def _noise(self, chars: tuple[str, ...] | list[str]) -> str:
        return "".join(self._rng.choice(chars) for _ in range(self._rng.randint(0, 8)))

    def _edited(self, text: str) -> str:
        for _ in range(self._rng.randint(1, 3)):
            position = self._rng.randint(0, len(text))
            edit = self._rng.random()
            if edit < 0.4:
                text = text[:position] + text[position + 1 :]
            elif edit < 0.8:
                text = text[:position] + self._rng.choice(TOKENS)[:3] + text[position:]
            else:
                text = text[:position] + text[position : position + 3] * 2 + text[position + 3 :]
        return text

    def _alternatives(self, depth: int) -> tuple[str, Sampler]:
        branches = [self._row(depth) for _ in range(self._rng.choice((1, 1, 1, 2, 2, 3)))]
        return "|".join(source for source, _ in branches), lambda: self._rng.choice(branches)[1]()  # noqa: PLW0108 - chooses anew at each call

    def _row(self, depth: int) -> tuple[str, Sampler]:
        terms = [self._term(depth) for _ in range(self._rng.choice((0, 1, 1, 2, 2, 2, 3, 3, 4)))]
        return "".join(source for source, _ in terms), lambda: "".join(sample() for _, sample in terms)

    def _term(self, depth: int) -> tuple[str, Sampler]:
        source, sample = self._atom(depth)
        places = ("\\b", "\\B", "^", "$")
        if self._rng.random() < 0.35 and (source not in places or self._rng.random() < 0.05):
            quantifier = self._rng.choice(QUANTIFIERS)
            low = 0 if quantifier[0] in "*?" or quantifier.startswith("{0") else 1 if quantifier[0] in "+" else 2
            high = 0 if quantifier.startswith("{0}") else 1 if quantifier[0] == "?" else 2
            return source + quantifier, lambda: "".join(
                sample() for _ in range(self._rng.randint(min(low, high), high))
            )
        return source, sample

    def _atom(self, depth: int) -> tuple[str, Sampler]:
        rng = self._rng
        sort = rng.random()
        if depth > 0 and sort < 0.3:
            opener = rng.choice(OPENINGS)
            body, sample = self._alternatives(depth - 1)
            return f"{opener}{body})", (str if opener in SILENT and rng.random() < 0.7 else sample)
        if sort < 0.42:
            return self._class()
        if sort < 0.52:
            return rng.choice(("\\1", "\\1", "\\2", "\\3", "\\k<n>", "\\k<m>", "\\k<n>")), lambda: rng.choice(
                ("", "a", "b")
            )
        if sort < 0.68:
            source, char = rng.choice(LEAVES)
            return source, lambda: char
        literal = rng.choice(PLAIN)
        return literal, lambda: literal

    def _class(self) -> tuple[str, Sampler]:
        members = [self._rng.choice(MEMBERS) for _ in range(self._rng.randint(0, 3))]
        source = "".join(member for member, _ in members)
        if self._rng.random() < 0.25 or not members:
            return f"[^{source}]", lambda: self._rng.choice("xyz#")
        return f"[{source}]", lambda: self._rng.choice(members)[1]
