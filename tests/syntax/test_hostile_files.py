"""Slow and deeply nested files are read quickly, without recursion errors."""

from __future__ import annotations

import sys

import pytest

from tests.processor_time import processor_time_below
from ttsr_ls.syntax.frontmatter.frontmatter import MAX_LENGTH
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.rule_file import ListValue, RuleFile, Value
from ttsr_ls.syntax.yaml.flow import MAX_DEPTH

SIZE = 64_000
SECONDS = 5.0
"""Of processor time: several times what the slowest needs, so that quadratic time shows and a slow machine does not."""

HOSTILE = {
    "open brackets": "[" * SIZE,
    "open braces": "{" * SIZE,
    "closed brackets": "[" * (SIZE // 2) + "]" * (SIZE // 2),
    "open pairs": "{a: " * (SIZE // 4),
    "compact sequences": "- " * (SIZE // 2),
    "explicit keys": "? " * (SIZE // 2),
    "indented keys": "\n".join(" " * depth + "a:" for depth in range(340)),
    "anchors that contain themselves": "a: " + "&a [*a, " * (SIZE // 9),
    "anchors in a row": "a: " + "&a " * (SIZE // 3),
    "billion laughs": "a: &a [x, x]\n" + "\n".join(f"k{n}: &k{n} [*k{n - 1}, *k{n - 1}]" for n in range(1, 900)),
    "laughing list": f"a: &a [{'x, ' * 9000}x]\nb: [{'*a, ' * 8000}*a]",
    "merged again and again": "a: &a {" + ", ".join(f"k{n}: 1" for n in range(2500)) + "}\n" + "<<: *a\n" * 4000,
    "many keys": "\n".join(f"key{n}: v" for n in range(5000)),
    "many known keys": "condition: v\n" * 4900,
    "many unknown keys": "\n".join(f"condtion{n}: v" for n in range(3500)),
    "many list items": "condition:\n" + "- v\n" * 15000,
    "many shorthands": "condition: [" + ", ".join(f"'*.x{n}'" for n in range(4500)) + "]",
    "many scope tokens": "scope: " + "tol:x," * 10000,
    "open scope token": "scope: " + "(" * SIZE,
    "long scope word": "scope: " + "a" * SIZE,
    "long key": "a" * SIZE + ": b",
    "blanks": " " * SIZE,
    "tabs": "\t" * (SIZE // 2),
    "blanks in a plain scalar": "a: " + "x   " * (SIZE // 4) + "#",
    "lines of a plain scalar": "a: " + "b\n " * (SIZE // 3),
    "empty lines of a block scalar": "a: >\n" + " \n" * (SIZE // 2),
    "growing empty lines": "a: |\n" + "\n".join(" " * width for width in range(340)),
    "open double quotes": 'a: "' + "\\\\" * (SIZE // 2),
    "illegal escapes": 'a: "' + "\\d" * (SIZE // 2) + '"',
    "open quotes again and again": 'a: "\\d\n' * (SIZE // 8),
    "values to repair": "a: b: c\n" * (SIZE // 8),
    "open comments": "<!--" * (SIZE // 4),
    "comments": "a: <!-- -->\n" * (SIZE // 12),
    "colons": ":" * SIZE,
    "hashes": "a: x" + " #" * (SIZE // 2),
    "dashes": "a: " + "-" * SIZE,
    "tags": "a: " + "!a " * (SIZE // 3),
    "bangs": "a: " + "!" * SIZE,
    "commas in globs": "globs: " + "a," * (SIZE // 2),
    "carriage returns": "a: b\r\n" * (SIZE // 6),
}


def read(text: str) -> RuleFile:
    return read_rule(text, name="rule", path="rule.md")


@pytest.mark.parametrize("lines", HOSTILE.values(), ids=HOSTILE)
def test_hostile_frontmatter_is_read_quickly(lines: str) -> None:
    with processor_time_below(SECONDS):
        file = read(f"---\n{lines}\n---\nBody")
    assert file.frontmatter is not None
    assert file.body.value == "Body"


@pytest.mark.parametrize(
    "text",
    ["---\n" * 50_000, "\n---" * 50_000, " ---\n" * 50_000, "---\n" + " ---\n" * 50_000, "```\n<!-- -->\n" * 20_000],
    ids=["delimiters", "late delimiters", "indented delimiters", "indented closings", "comments in fences"],
)
def test_hostile_files_are_read_quickly(text: str) -> None:
    with processor_time_below(SECONDS):
        read(text)


def test_frontmatter_that_is_too_long_is_not_read() -> None:
    file = read("---\n" + "condition: foo\n" * (MAX_LENGTH // 14) + "---\nBody")
    assert file.fields.conditions == ()
    assert [problem.code for problem in file.problems] == ["frontmatter-not-recognised"]


@pytest.mark.parametrize(("depth", "is_read"), [(MAX_DEPTH - 1, True), (MAX_DEPTH + 1, False)])
def test_frontmatter_deeper_than_the_limit_is_read_line_by_line(depth: int, is_read: bool) -> None:
    file = read(f"---\nx: {'[' * depth}{']' * depth}\n---\nBody")
    assert file.frontmatter is not None
    assert file.frontmatter.recovered is not is_read
    assert (depth_of(file.frontmatter.entries[0].value) == depth) is is_read


def test_reading_needs_few_stack_frames() -> None:
    limit = sys.getrecursionlimit()
    used = len(list(frames()))
    sys.setrecursionlimit(used + 250)
    try:
        file = read(f"---\nx: {'[' * MAX_DEPTH}{']' * MAX_DEPTH}\n---\nBody")
    finally:
        sys.setrecursionlimit(limit)
    assert file.frontmatter is not None


def frames() -> list[object]:
    found: list[object] = []
    frame = sys._getframe()
    while frame is not None:
        found.append(frame)
        frame = frame.f_back  # type: ignore[assignment]
    return found


def depth_of(value: Value) -> int:
    depth = 0
    while isinstance(value, ListValue):
        depth += 1
        if not value.items:
            break
        value = value.items[0]
    return depth
