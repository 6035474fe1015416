"""Generates rule files from lines that people write, and damages them."""

from __future__ import annotations

import random
from collections.abc import Iterator

_LINES = (
    "condition: foo", 'condition: "\\\\bany\\\\b"', "condition: '\\bas any\\b'", "condition:", "  - foo",
    "  - '(?i)todo'", '  - "*.ts"', "- bar", "scope: text, thinking", "scope: tool:edit(*.ts)",
    'scope: [text, "tool:edit(*.ts)"]', "scope:", "globs: [\"*.ts\", 'src/**']", "globs: **/*.ts", "globs: {a: b}",
    "description: Use x: never y", "description: >-", "  folded text", "  more", "description: |", "    literal", "",
    "# comment", "interrupt-mode: never", "interruptMode: always # c", "enabled: false", "alwaysApply: true",
    "agents: main, sub", "agents: [main,", "  sub]", "question: |", "  Is it?", "condition: [a-z]+",
    "condition: \\d+", "condition: {2}", "condition: !foo", "condition: &x bar", "ttsr_trigger: *x", "<<: *x",
    'condition: "a', '  b"', "condition: 'it''s'", '"condition": x', 'a: "\\x41\\u00e9"', "key:", "  nested: v",
    '  other: "q"', "    deep: - x", "condition: foo|bar", "condition: a#b", "condition: a #b",
    "condition: (?<!x)y", "condition: @x", "condition: `x`", "condition: %x", "condition: .*", "condition: *",
    "condition: ^x$", "condition: - x", "condition: > x", "condition: | x", "condition: a: b", "condition: a:b",
    'condition: "x" y', "- - x", "  - y", "<!-- a -->", "condition: x<!-- y\n-->z", "scope: \"text\",\"tool\"",
    "scope: tool:edit(*.{ts,tsx}), 'thinking'", "agents: '{a , B}', c", "condition: '*.rs'", "condition: src/**",
    "\tcondition: x", "condition:\tx\ty", "astCondition: foo($A, $$$)", "ast-condition: '$A as any'",
)  # fmt: skip
_INSERTED = (*" \n:-\"'[]{},#&*!|>%@`?\\ab01~.()\t", "\n  ", "\n- ", ": ", " #", "  ", "\r\n", "---\n", "é")


def generate(seed: int, count: int) -> Iterator[str]:
    """`count` rule files; the same for the same seed."""
    rng = random.Random(seed)
    for _ in range(count):
        lines = [rng.choice(_LINES) for _ in range(rng.randint(1, 7))]
        text = "\n".join(["---", *lines, "---", "Body"])
        for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
            text = _damaged(rng, text)
        yield text


def _damaged(rng: random.Random, text: str) -> str:
    offset = rng.randrange(4, max(len(text) - 8, 5))
    match rng.randrange(3):
        case 0:
            return text[:offset] + rng.choice(_INSERTED) + text[offset:]
        case 1:
            return text[:offset] + text[offset + 1 :]
        case _:
            return text[:offset] + rng.choice(_INSERTED) + text[offset + 1 :]
