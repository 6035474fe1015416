"""Limits are parameters: a test that wants smaller ones passes them, and patches no constant of a module."""

from __future__ import annotations

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
CONSTANT = re.compile(r"\.\s*_*[A-Z][A-Z0-9_]*\b[^=\n]*=[^=]")
"""May be an assignment to a constant of a module."""


def patched_constants(tree: ast.AST) -> list[str]:
    """The names in capitals that are set on something else: by `setattr`, or by an assignment to an attribute."""
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="setattr") | ast.Name(id="setattr"), args=args):
                texts = [arg.value for arg in args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
                found += [text.rpartition(".")[2] for text in texts[:1]]
            case ast.Attribute(attr=name, ctx=ast.Store()):
                found.append(name)
    return [name for name in found if name.strip("_").isupper()]


def test_no_test_patches_a_constant() -> None:
    modules = sorted(TESTS.rglob("*.py"))
    assert len(modules) > 300
    texts = {str(path.relative_to(TESTS)): path.read_text() for path in modules}
    # To parse everything takes seconds.
    named = {name: text for name, text in texts.items() if "setattr" in text or CONSTANT.search(text)}
    found = {name: patched_constants(ast.parse(text)) for name, text in named.items()}
    assert {name: constants for name, constants in found.items() if constants} == {}


def test_patches_are_seen() -> None:
    patches = ["patch.setattr(module, '_MOST', 1)", "patch.setattr('a.b.MOST', 1)", "a.MOST, b.LEAST = 1, 2"]
    code = "\n".join([*patches, "x.most = y[z.MOST] = 3"])
    assert sorted(patched_constants(ast.parse(code))) == ["LEAST", "MOST", "MOST", "_MOST"]
