"""Random rule sets, texts, and deltas from a seed, for very many cases, for which Hypothesis is too slow."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.rules.condition import compile_condition

_ATOMS = (
    *("a", "b", "A", ".", "[ab]", "[^a]", r"\w", r"\W", r"\s", r"\S", "[]", "[^]", " ", "k", "ab", "bc"),
    *("\u212a", r"\ud83d", r"\ude00", "a[^b\\n]*b", "a.*", r"[\s\S]*", "[^]*b", "a.{0,9}b", "b[^c]{2,12}c", "c{8,}"),
    *(r"\b", r"\B", "^", "$", r"\n", r"\u2028", r"\1", r"\2"),
)
_QUANTIFIERS = ("*", "+", "?", "{2}", "{1,2}", "{0,2}", "{2,}", "*?", "+?", "??", "{1,3}?", "{0}", "{0,9}")
_LOOKS = ("(?=", "(?!", "(?<=", "(?<!")
_GROUPS = ("(", "(?:", "(?:|", "(?i:", "(?m:", "(?s:", "(?-i:")
_FLAGS = ("", "", "", "(?i)", "(?m)", "(?s)", "(?ims)")
_SHAPES = ("atom", "sequence", "sequence", "alternation", "group", "look", "repeat", "repeat", "captured repeat")
_WHOLE = (
    r"(?=[\s\S]*{})(?=[\s\S]*{})",
    r"^(?![\s\S]*{})[\s\S]*{}",
    r"{}[\s\S]*{}",
    r"{}[^]*{}\b",
    r"\b{}.*{}",
    r"(?<!{}.*){}",
    r"(['\"ab]){}\1|{}",
    r"{}(?!{})",
    r"{}(?={}$)",
)
_ALPHABETS = ("ab", "aaabbbc \n", "abcAkK\u212a\n\u2028\ud83d\ude00_- é")


def random_condition(random: Random) -> str:
    """A valid condition, as authored."""
    while True:
        if random.random() < 0.25:
            form = random.choice(_WHOLE)
            source = form.format(_pattern(random, random.randint(1, 3)), _pattern(random, random.randint(1, 3)))
        else:
            source = _pattern(random, random.randint(1, 9))
        # Trimmed, as from a rule file. Blanks alone are no condition.
        source = (random.choice(_FLAGS) + source).strip(" ")
        try:
            compile_condition(source)
        except RegexSyntaxError:
            continue
        if source:
            return source


def random_text(random: Random) -> str:
    """A text in units."""
    alphabet = random.choice(_ALPHABETS)
    return "".join(random.choice(alphabet) for _ in range(random.randint(0, 18)))


def random_deltas(random: Random, text: str) -> list[str]:
    """The text cut at random places, sometimes into single units, sometimes with empty deltas."""
    if random.random() < 0.2:
        return list(text)
    places = sorted(random.randint(0, len(text)) for _ in range(random.randint(0, 5)))
    return [text[start:end] for start, end in pairwise([0, *places, len(text)])]


def _pattern(random: Random, leaves: int) -> str:
    shape = "atom" if leaves <= 1 else random.choice(_SHAPES)
    if shape == "atom":
        return random.choice(_ATOMS)
    if shape in ("sequence", "alternation"):
        remaining = random.randint(1, leaves - 1)
        one, other = _pattern(random, remaining), _pattern(random, leaves - remaining)
        return one + other if shape == "sequence" else f"(?:{one}|{other})"
    inner = _pattern(random, leaves - 1)
    if shape == "group":
        return f"{random.choice(_GROUPS)}{inner})"
    if shape == "look":
        return f"{random.choice(_LOOKS)}{inner})"
    return f"({'?:' if shape == 'repeat' else ''}{inner}){random.choice(_QUANTIFIERS)}"
