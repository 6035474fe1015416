"""Rule files as an attacker would write them, or a disk that fails: made from a seed, the same on every machine."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.lint.rule_texts import PIECES, WRITTEN

_LONGEST = 4000
PATHS = (
    ".omp/rules/rule.md", ".omp/rules/rule.md", ".omp/rules/rule.md", ".pi/rules/rule.md", ".cursor/rules/rule.mdc",
    ".windsurf/rules/rule.md", ".clinerules/rule.md", ".github/instructions/r.instructions.md", ".claude/rules/rule.md",
    ".claude/hookify.rule.local.md", ".maestro/rules/rule.md", "rule.md", ".omp/config.yml", ".omp/settings.json",
)  # fmt: skip
"""Where such files would live, for every dialect, and for settings."""
_SHAPES = (
    "(" * 400, "[" * 400, "{" * 400, "- " * 200, "? " * 200, "&a *a " * 60, "a: " * 200, "'" * 300, '"' * 301,
    "\\" * 301,
    "(?:a+)+" * 20, "(a|a)*" * 30, "a{1000}" * 20, "(?=" * 60, "(?<!" * 60, "{a,b}" * 30, "**/" * 60, "!" * 200,
    "<!--" * 90, "--->" * 90, "---\n" * 90, "\t" * 300, "\r" * 300, "\u2028" * 90, "\x00" * 90, "\ud800" * 90,
    "# ttsr-ls: ignore[x]\n" * 60, "<!-- ttsr-ls: ignore[" * 60, "condition: x\n" * 90, "condition:\n" + "- a$\n" * 90,
)  # fmt: skip

_PATTERN_PIECES = (
    "a", "b", "any", ".", ".*", ".*?", "a+", "(a+)+", "(a|b)*", "(a|ab)*", r"\w+", r"\s*", r"\d{2,9}", "[a-z]+",
    "[^a]*", "^", "$", r"\b", r"\B", "|", "(?:a|b?)*", "(?=a*b)", "(?!.*a)", "(?<=a+)", "(?<!b)", "(?<n>a)", r"\k<n>",
    r"\1", "{3,}", "{100}", "?", "*", "+", r"\p{L}", "[[:space:]]", r"\x{41}", "😀", "é", " ", r"\n", r"\u2028",
    "(?m:^a$)", "(?-i:A)", "[^]", "[]", "(", ")", "[", "\\",
)  # fmt: skip


def hostile_files(count: int, seed: int) -> Iterator[bytes]:
    """Files: rules with pieces exchanged, with shapes put in, cut, doubled, with bytes flipped; and plain noise."""
    chance = random.Random(seed)
    for _ in range(count):
        kind = chance.randrange(10)
        if kind == 0:
            yield chance.randbytes(chance.randrange(2000))
            continue
        text = _with_pattern(chance) if kind < 4 else chance.choice(WRITTEN)
        for _ in range(chance.randrange(2) if kind < 4 else chance.randrange(1, 8)):
            text = _changed(text, chance)
        data = bytearray(text[:_LONGEST].encode("utf-8", "surrogatepass"))
        if kind == 9 and data:
            for _ in range(chance.randrange(1, 10)):
                data[chance.randrange(len(data))] = chance.randrange(256)
        yield bytes(data)


def _with_pattern(chance: random.Random) -> str:
    """A rule that is whole except for its patterns."""
    patterns = ("".join(chance.choices(_PATTERN_PIECES, k=chance.randrange(1, 15))) for _ in range(3))
    listed = "".join(f"  - |\n    {pattern}\n" for pattern in patterns)
    return f"---\ncondition:\n{listed}scope: {chance.choice(('text', 'tool:bash', 'tool:edit(*.ts)'))}\n---\nSay so.\n"


def _changed(text: str, chance: random.Random) -> str:
    position = chance.randrange(len(text) + 1)
    end = min(len(text), position + chance.randrange(30))
    match chance.randrange(7):
        case 0:
            return text[:position] + chance.choice(_SHAPES) + text[position:]
        case 1:
            return text[:position] + text[end:]
        case 2:
            return text[:position] + text[position:end] * chance.randrange(2, 6) + text[end:]
        case 3:
            return text[:position] + "".join(reversed(text[position:end])) + text[end:]
        case 4:
            return text[:position] + chr(chance.randrange(1, 0x3000)) + text[position:]
        case _:
            return text[:position] + "".join(chance.choices(PIECES, k=chance.randrange(1, 6))) + text[end:]
