"""The tables of dialects hold what differs between them; elsewhere, a choice among dialects stands once a purpose."""

from __future__ import annotations

import ast
from pathlib import Path

import ttsr_ls
from ttsr_ls.syntax.dialects.table import DialectId

PACKAGE = Path(ttsr_ls.__file__).parent
NAMES = set(DialectId.__members__) | {"PI"}
TABLES = ("rules/dialects/", "syntax/dialects/")

CHOICES = {
    "store/discovery/loaded_rule.py": "which reader and registration",
    "convert/conversion.py": "which reader and writer",
    "convert/to_guidance.py": "the keys of guidance",
    "lint/dialect_checks/__init__.py": "which checks",
    "lint/other_dialect.py": "whose keys a file has",
}
"""Modules that choose among three dialects or more, and what they choose."""


def dialects_chosen(tree: ast.AST) -> set[str]:
    """The dialects that conditions and cases of a module name."""
    found = set()
    for node in ast.walk(tree):
        tests: list[ast.AST] = []
        if isinstance(node, ast.If | ast.IfExp):
            tests = [node.test]
        elif isinstance(node, ast.match_case):
            tests = [node.pattern]
        elif isinstance(node, ast.comprehension):
            tests = [*node.ifs]
        for test in tests:
            names = [leaf for leaf in ast.walk(test) if isinstance(leaf, ast.Name | ast.Attribute)]
            found |= {leaf.id if isinstance(leaf, ast.Name) else leaf.attr for leaf in names} & NAMES
    return {"PI_TTSR" if name == "PI" else name for name in found}


def test_only_named_modules_choose_among_dialects() -> None:
    files = [(file.relative_to(PACKAGE).as_posix(), file) for file in PACKAGE.rglob("*.py")]
    outside = [(name, file) for name, file in files if not name.startswith(TABLES)]
    assert len(outside) > 500
    texts = [(name, file.read_text()) for name, file in outside]
    named = [(name, text) for name, text in texts if sum(each in text for each in NAMES) > 2]  # Parsing takes seconds.
    choosing = {name for name, text in named if len(dialects_chosen(ast.parse(text))) > 2}
    assert choosing == CHOICES.keys()
