"""Generates conditions as rule authors write them: banned calls, imports, comments, phrases, secrets, commands.

Seeded, so that every run and every engine sees the same. The shapes are those of real rules: about two thirds have a
part without bound, one in eight looks around, and a few need a confirmation.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from benchmarks.vocabulary import ORDINARY, TELLTALES

_SHAPES: tuple[tuple[int, str], ...] = (
    (6, r"\b{t}\b"),
    (4, r"\b{o}\.{t}\s*\("),
    (4, r"(?:^|\s){t}\s*\("),
    (3, r"(?i)\b(?:{t}|{t2})\b"),
    (3, r"(?i){o}\s+{t}"),
    (3, r"import\s+[^;\n]*\bfrom\s+['\"]{t}['\"]"),
    (3, r"require\(\s*['\"]{t}(?:/[^'\"]*)?['\"]\s*\)"),
    (2, r"(?m)^\s*(?:from|import)\s+{t}\b"),
    (2, r"(?m)^\s*//\s*(?:{t}|{t2})\b"),
    (2, r"(?m)^\s*#.*\b{t}\b"),
    (2, r"(?m){t}\s*$"),
    (2, r"/\*[^*]*{t}[^*]*\*/"),
    (2, r"\b(?:const|let|var)\s+\w*{t}\w*\s*="),
    (2, r"\b(?:class|interface|struct)\s+\w+{t}\b"),
    (2, r"\bfunction\s+\w*{t}\w*\s*\([^)]*\)"),
    (2, r"catch\s*\(\s*\w*\s*\)\s*\{{\s*(?://[^\n]*{t}[^\n]*)?\s*{t2}"),
    (2, r"\bas\s+(?:any|unknown)\s+as\s+{t}"),
    (2, r"['\"](?:{t}|{t2})[A-Za-z0-9_-]{{8,40}}['\"]"),
    (2, r"{t}[A-Z0-9]{{16}}"),
    (2, r"\b{o}\s*=\s*[^;\n]{{0,60}}{t}"),
    (2, r"<{o}[^>]*\s{t}="),
    (2, r"\.{o}\([^)]*\)\.{t}\("),
    (2, r"new\s+{t}(?:<[^>]*>)?\s*\("),
    (2, r"@{o}\([^)]*{t}[^)]*\)"),
    (2, r"if\s*\([^)]*\b{t}\b[^)]*\)"),
    (1, r"{t}(?!\w)"),
    (2, r"(?<![\w.]){t}\s*\("),
    (1, r"{t}(?!_or|\?)\("),
    (1, r"(?<!\bno ){t}\b"),
    (1, r"(?<!//.*){t}"),
    (1, r"(?=[\s\S]*\b{t}\b)(?=[\s\S]*\b{o}\b)"),
    (1, r"^(?![\s\S]*{o}_{o2})[\s\S]*{t}"),
    (1, r"{o}[\s\S]*{t}"),
    (1, r"{o}(?:\s+\w+){{0,5}}\s+{t}"),
    (1, r"(['\"]){t}\1"),
    (1, r"(?i)(?:you're|you are)\s+(?:\w+\s+)?{t}"),
    (1, r"(?i)\b(?:let me|i'll|i will)\s+(?:{t}|{t2})\b"),
    (1, r"(?s)```\w*\n.*?{t}.*?```"),
    (1, r"git\s+(?:push|commit|reset)\b[^\n]*\s{t}"),
    (1, r"(?:SELECT|UPDATE|DELETE)\s+[\s\S]{{0,80}}?\b{t}\b"),
    (1, r"=>\s*\{{?\s*{t}"),
    (1, r"(?:\.\.\.|…)\s*(?:rest|existing)\s+(?:of\s+)?(?:the\s+)?{t}"),
    (1, r"[^\x00-\x7F]\s*{t}"),
    (1, r"\$\{{[^}}]*{t}[^}}]*\}}"),
)


def conditions(count: int, seed: int = 1) -> list[str]:
    """`count` different conditions, as they stand in rule files."""
    random = Random(seed)
    shapes = [shape for weight, shape in _SHAPES for _ in range(weight)]
    made: dict[str, None] = {}
    while len(made) < count:
        made[_fill(random.choice(shapes), random)] = None
    return list(made)


def _fill(shape: str, random: Random) -> str:
    def telltale() -> str:
        word = random.choice(TELLTALES)
        # Large rule sets ban members of many modules, not the same few words again and again.
        if random.random() < 0.5:
            word += random.choice(".:_-") + random.choice(ORDINARY)
        return re.escape(word)

    ordinary: Callable[[], str] = lambda: random.choice(ORDINARY)  # noqa: E731
    return shape.format(t=telltale(), t2=telltale(), o=ordinary(), o2=ordinary())
