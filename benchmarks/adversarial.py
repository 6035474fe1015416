"""Rule sets that are made to be costly, each with a text that makes them so."""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from random import Random

from msgspec import Struct

TEXT_LENGTH = 20_000


class Adversarial(Struct, frozen=True):
    """Conditions, and a text."""

    conditions: tuple[str, ...]
    text: str


def _of(count: int, condition: Callable[[int], str]) -> tuple[str, ...]:
    return tuple(condition(number) for number in range(count))


def _words(alphabet: str, longest: int, seed: int) -> str:
    random = Random(seed)
    words: list[str] = []
    length = 0
    while length < TEXT_LENGTH:
        words.append("".join(random.choice(alphabet) for _ in range(random.randint(1, longest))))
        length += len(words[-1]) + 1
    return " ".join(words)


def _numbered_words(seed: int) -> str:
    random = Random(seed)
    return " ".join(f"{random.choice('wx')}{random.randint(0, 999)}" for _ in range(TEXT_LENGTH // 5))


def _word(random: Random, units: str, length: int) -> str:
    return "".join(random.choices(units, k=length))


def _starts(words: Sequence[str], seed: int) -> str:
    """Starts of some words, one after the other."""
    random = Random(seed)
    return "".join(word[: random.randint(1, len(word))] for word in random.choices(words, k=TEXT_LENGTH // 3))


def _alternatives(count: int, seed: int) -> Adversarial:
    """Conditions of 200 texts each, and a text in which all of them start."""
    random = Random(seed)
    words = [[_word(random, _ALPHANUMERIC, 6) for _ in range(200)] for _ in range(count)]
    text = _words(_ALPHANUMERIC, 8, seed) + _starts([word for each in words for word in each], seed)
    return Adversarial(tuple(f"(?:{'|'.join(each)})" for each in words), text)


def _after_sets(count: int, seed: int) -> Adversarial:
    """Texts behind different sets of units."""
    random = Random(seed)
    conditions = [f"[{_word(random, _ALPHANUMERIC, 5)}]{_word(random, _ALPHANUMERIC, 6)}" for _ in range(count)]
    text = _words(_ALPHANUMERIC, 8, seed) + _starts([condition[7:] for condition in conditions], seed)
    return Adversarial(tuple(conditions), text)


def _chinese(count: int, seed: int) -> Adversarial:
    """Texts of thousands of different units."""
    random = Random(seed)
    conditions = [_word(random, _CHINESE, 6) for _ in range(count)]
    return Adversarial(tuple(conditions), _starts(conditions, seed))


def _overlapping_sets(count: int, units: str, tail: str, seed: int) -> Adversarial:
    """Sets of units that overlap, and a text of these units: most conditions have a factor in each delta."""
    random = Random(seed)
    conditions = ["".join(f"[{''.join(random.sample(units, 3))}]" for _ in range(6)) + tail for _ in range(count)]
    return Adversarial(tuple(conditions), _word(random, units, TEXT_LENGTH))


def _around_a_text(count: int, seed: int) -> Adversarial:
    """Different sets around one text that is in each delta."""
    random = Random(seed)
    sets = [_word(random, string.ascii_lowercase, 8) for _ in range(2 * count)]
    conditions = [f"[{sets[2 * n]}]{{1,9}}qzx[{sets[2 * n + 1]}]{{1,9}}{n}" for n in range(count)]
    words = [_word(random, string.ascii_lowercase, random.randint(1, 8)) for _ in range(TEXT_LENGTH // 7)]
    return Adversarial(tuple(conditions), "qzx".join(words))


def _short_texts(count: int, seed: int) -> Adversarial:
    """Texts of four units of seven, between loops, and a text in which all of them occur often."""
    random = Random(seed)
    words = [_word(random, _RARE[:7], 4) for _ in range(2 * count)]
    conditions = [f"[a-z]+{words[2 * n]}[a-z]+{words[2 * n + 1]}!{n}" for n in range(count)]
    return Adversarial(tuple(conditions), _word(random, _RARE[:7], TEXT_LENGTH))


def _alternatives_of_sets(count: int, seed: int) -> Adversarial:
    """Alternatives of sets of units, each condition with many states."""
    random = Random(seed)

    def alternative() -> str:
        return "".join(f"[{_word(random, _RARE[:6], 2)}]" for _ in range(random.randint(4, 6)))

    conditions = [f"(?:{'|'.join(alternative() for _ in range(4))})[^!]{{0,9}}{n}" for n in range(count)]
    return Adversarial(tuple(conditions), _word(random, _RARE[:6], TEXT_LENGTH))


def _conjunctions(count: int, seed: int) -> Adversarial:
    """Lookaheads over the whole text."""
    random = Random(seed)

    def text(length: int) -> str:
        return _word(random, "abcdef", length)

    conditions = [rf"(?=[\s\S]*{text(3)})(?=[\s\S]*{text(3)})(?![\s\S]*{text(6)})" for _ in range(count)]
    return Adversarial(tuple(conditions), _word(random, "abcdef", TEXT_LENGTH))


_RARE = "xqzjkvwy0123"
_ALPHANUMERIC = string.ascii_letters + string.digits
_CHINESE = "".join(map(chr, range(0x4E00, 0x9FA5)))

SETS: dict[str, Callable[[], Adversarial]] = {
    "1,000 × `w[a-z ]{60}w[a-z ]{60}w…`": lambda: Adversarial(
        _of(1000, lambda n: rf"w[a-z ]{{60}}w[a-z ]{{60}}wX{n}"), _words("wxab", 6, 1)
    ),
    "1,000 × `(?<!w.*)w…`": lambda: Adversarial(_of(1000, lambda n: rf"(?<!w.*)w{n}"), _numbered_words(2)),
    "200 × exact counts": lambda: Adversarial(
        _of(200, lambda n: rf"\b{chr(97 + n % 26)}[a-f]{{40}}[d-k]{{40}}X{n}"), _words("abcdef", 100, 3)
    ),
    "200 × backreferences": lambda: Adversarial(
        _of(200, lambda n: rf"\b(\w+) {chr(97 + n % 26)}\w* \1 X{n}"), _words("abc", 3, 4)
    ),
    "200 × open starts `x…[\\s\\S]*y…`": lambda: Adversarial(
        _of(200, lambda n: rf"w{n % 10}[\s\S]*x{n} !"), _numbered_words(5)
    ),
    "100 × `a.{30}b…`": lambda: Adversarial(
        _of(100, lambda n: rf"a.{{30}}b{chr(97 + n % 26)}X{n}"), _words("ab", 200, 6)
    ),
    "50 × `(a+)+$`": lambda: Adversarial(
        _of(50, lambda n: rf"(?:[ab{chr(99 + n % 24)}]+)+!{n}$"), _words("ab", 500, 7)
    ),
    "100 × 200 texts": lambda: _alternatives(100, 8),
    "1,000 × `[…]` and a text": lambda: _after_sets(1000, 9),
    "1,000 × a Chinese text": lambda: _chinese(1000, 10),
    "1,000 × overlapping sets": lambda: _overlapping_sets(1000, _RARE[:6], r"\s!", 11),
    "1,000 × overlapping sets that match": lambda: _overlapping_sets(1000, _RARE, "", 12),
    "1,000 × sets around one text": lambda: _around_a_text(1000, 13),
    "1,000 × frequent short texts": lambda: _short_texts(1000, 14),
    "1,000 × alternatives of sets": lambda: _alternatives_of_sets(1000, 15),
    "300 × lookaheads over the text": lambda: _conjunctions(300, 16),
    "1,000 × one text": lambda: Adversarial(
        _of(1000, lambda n: rf"needle\w{{{n % 20}}}"), " needlexxxxxxxxxxxxxxxxxxxxxxx ".center(1_000, "x")
    ),
    "1,000 × `^[…]{n}…`": lambda: Adversarial(
        _of(1000, lambda n: rf"^[\s\S]{{{n % 400}}}[{'abcd'[n % 4]}x]{{3}}{n}"), _words("abcd", 20, 17)
    ),
}
"""Functions that make the sets. All together take a second, and a process measures one."""
