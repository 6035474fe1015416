"""Random patterns with negated lookarounds around constants, assertions, and further lookarounds; texts for them."""

from __future__ import annotations

from random import Random

from ttsr_ls.esregex.tree.nodes import Pattern
from ttsr_ls.rules.condition import compile_condition

_ATOMS = (
    "a",
    "b",
    "c",
    "ab",
    "[ab]",
    ".",
    r"\w",
    r"\W",
    r"\n",
    "^",
    "^",
    "$",
    r"\b",
    r"\B",
    "(?=)",
    "(?!)",
    "[]",
    "[^]",
)
_QUANTIFIERS = ("*", "+", "?", "{2}", "{1,2}", "{2,}", "{0}", "*?")
_LOOKS = ("(?=", "(?!", "(?!", "(?<=", "(?<!")


def _part(random: Random, leaves: int) -> str:
    if leaves <= 1:
        return random.choice(_ATOMS)
    shape = random.random()
    if shape < 0.6:
        remaining = random.randint(1, leaves - 1)
        one, other = _part(random, remaining), _part(random, leaves - remaining)
        return one + other if shape < 0.5 else f"(?:{one}|{other})"
    inner = _part(random, leaves - 1)
    return f"{random.choice(_LOOKS)}{inner})" if shape < 0.85 else f"(?:{inner}){random.choice(_QUANTIFIERS)}"


def random_pattern(random: Random) -> Pattern:
    """A negated lookaround with at most one atom on each side."""
    flags, before = random.choice(("", "(?m)")), random.choice(("a", "b", "", ".", r"\b"))
    look, after = random.choice(("(?!", "(?!", "(?<!")), random.choice(("", "", "b", ".", r"\b"))
    return compile_condition(f"{flags}{before}{look}{_part(random, random.randint(2, 6))}){after}").pattern


def random_text(random: Random) -> str:
    """A short text of letters, spaces, and line feeds."""
    return "".join(random.choice("aabbc\n ") for _ in range(random.randint(1, 6)))
