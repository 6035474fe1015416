"""Generates YAML texts, valid and invalid, from pieces that meet in odd ways."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

_BLOCK = (
    "a", "b", "x y", ":", ": ", ":\n", "\n", "\n ", "\n  ", "\n    ", "- ", "-", "-\n", "[", "]", "{", "}", ", ",
    ",", '"', "'", "|", ">", "|-\n", ">\n", "&a ", "*a", "!t ", "!!str ", "#", " #c", " ", '"a"', "'b'", '"a": ',
    "1", "null", "~", "\\", "\\n", "%", "@", "`", "---", "...", "\n---\n", "\n...\n", "<<: ", "key: ", "k: v\n",
    "- i\n", "  - j\n", "\n- ", "\n  b: ", "x: |\n  t\n", "...\n", ":x", "?x", "-x", '""', "''", '"x\n y"',
    "'x\n\n  y'", "foo\n  bar", '"\\t"', ".", "5", "-1.5e3", "0x1F", "<<: *a\n",
)  # fmt: skip
_FLOW = (
    "a", "b", ":", ": ", " : ", "[", "]", "{", "}", "[", "{", "]", ",", ", ", ",", '"x"', "'y'", "#", " #c\n ",
    "&a ", "*a", "*a ", "!t ", "1", "-", "- ", "<<: {z: 1}", " ", '"x":', "x y", '"', "'", "|", ">", "@", "\\",
    "a: ", ".", "\n  ",
)  # fmt: skip
_SCALAR = (
    "|", ">", "|-\n", ">+\n", "|2\n", "\n", "\n", "\n ", "\n  ", "\n   ", "\n    ", "a", "b c", " ", "# x", "- ",
    ":", "'", '"', "\\\n", "\\", "\\x41", "\\u00e9", "\\U0001F600", "\\uD83D\\uDE00", "''", "\t", "é", "\u2028",
    "\x85", "😀",
)  # fmt: skip

_TAB_INDENTATION = re.compile(r"(?<=\n)[ \t]*\t[ \t]*")


def generate(seed: int, count: int) -> Iterator[str]:
    """`count` texts of each of three kinds: blocks, flow collections, and scalars over several lines."""
    rng = random.Random(seed)
    for _ in range(count):
        yield _some(rng, _BLOCK, 9)
        start = rng.choice(("", "k: ", "k:\n ", "- ", "k:\n  - "))
        yield start + rng.choice("[{") + _some(rng, _FLOW, 8) + rng.choice(("", "]", "}", "\n]", "\nm: 1"))
        scalar = rng.choice(("k: ", "- ", "", "k:\n  ")) + rng.choice("|>\"'ab") + _some(rng, _SCALAR, 8)
        # Tabs at the start of a line never get to the YAML reader: frontmatter has spaces instead (spec F5).
        yield _TAB_INDENTATION.sub("", scalar)


def _some(rng: random.Random, pieces: tuple[str, ...], most: int) -> str:
    return "".join(rng.choice(pieces) for _ in range(rng.randint(1, most)))
