"""Rule sets that are made to be costly, each with a text that makes them so."""

from __future__ import annotations

from collections.abc import Callable
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


SETS: dict[str, Adversarial] = {
    "1,000 × `w[a-z ]{60}w[a-z ]{60}w…`": Adversarial(
        _of(1000, lambda n: rf"w[a-z ]{{60}}w[a-z ]{{60}}wX{n}"), _words("wxab", 6, 1)
    ),
    "1,000 × `(?<!w.*)w…`": Adversarial(_of(1000, lambda n: rf"(?<!w.*)w{n}"), _numbered_words(2)),
    "200 × exact counts": Adversarial(
        _of(200, lambda n: rf"\b{chr(97 + n % 26)}[a-f]{{40}}[d-k]{{40}}X{n}"), _words("abcdef", 100, 3)
    ),
    "200 × backreferences": Adversarial(
        _of(200, lambda n: rf"\b(\w+) {chr(97 + n % 26)}\w* \1 X{n}"), _words("abc", 3, 4)
    ),
    "200 × open starts `x…[\\s\\S]*y…`": Adversarial(
        _of(200, lambda n: rf"w{n % 10}[\s\S]*x{n} !"), _numbered_words(5)
    ),
    "100 × `a.{30}b…`": Adversarial(_of(100, lambda n: rf"a.{{30}}b{chr(97 + n % 26)}X{n}"), _words("ab", 200, 6)),
    "50 × `(a+)+$`": Adversarial(_of(50, lambda n: rf"(?:[ab{chr(99 + n % 24)}]+)+!{n}$"), _words("ab", 500, 7)),
}
