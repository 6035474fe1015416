"""Messages that are written in parts have one blank between their words."""

import ast
import re
from collections.abc import Iterator

from tests.tidy.test_layers import PACKAGE

_BLANKS = re.compile(r"[a-z.,;] {2,}[a-z]")


def doubled_blanks(source: str) -> Iterator[str]:
    """Yields the texts in a module, other than docstrings, that have two blanks within a sentence."""
    docstrings = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr):
            docstrings.add(ast.unparse(node.value))
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if _BLANKS.search(node.value) and ast.unparse(node) not in docstrings:
            yield f"{node.lineno}: {node.value}"


def test_no_message_has_two_blanks_in_a_row() -> None:
    files = sorted(PACKAGE.rglob("*.py"))
    assert len(files) > 1_000
    assert {
        str(file): found for file in files if (found := list(doubled_blanks(file.read_text(encoding="utf-8"))))
    } == {}


def test_two_blanks_are_found() -> None:
    assert len(list(doubled_blanks('text = f"{name} says what " " is wrong."'))) == 1
    assert list(doubled_blanks('def f():\n    """Doc.\n    next  line"""')) == []
