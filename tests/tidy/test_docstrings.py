"""Docstrings tell a reader something: none only refers to another, only repeats the name, or begins as a question."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from tests.tidy.test_shape import ROOT, tracked

REFERENCE = re.compile(r"See `[\w.]+`\.?")
QUESTION = re.compile(
    r"(?:(?:at|by|from|in|on|through|to|with) )?(?:what|where|whether|how|which|why|who|whose|whom|when)(?:ever)?\b",
    re.IGNORECASE,
)
EMPTY_WORDS = frozenset(("a", "an", "the", "of", "to", "in", "for", "and", "its", "this", "one", "some", "all"))


class Docstring(NamedTuple):
    """The docstring of a module, class or function, or the text below a field or constant (which has no name)."""

    file: str
    name: str
    text: str


@cache
def all_docstrings() -> list[Docstring]:
    return [
        Docstring(str(file.relative_to(ROOT)), name, text)
        for file in tracked("ttsr_ls/*.py")
        for name, text in docstrings(ast.parse(file.read_text()))
        if text
    ]


def docstrings(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Module():
                yield "the module", ast.get_docstring(node) or ""
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield node.name, ast.get_docstring(node) or ""
            case ast.Expr(ast.Constant(str(text))):
                yield "", text
            case _:
                pass


def repeats(name: str, docstring: str) -> bool:
    """Returns whether a docstring has no word that the name does not have, but for letters at the ends of words."""
    of_name = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name).lower())
    words = set(re.findall(r"[a-z]+", docstring.lower())) - EMPTY_WORDS
    return bool(words) and all(any(is_form_of(word, item) for item in of_name) for word in words)


def is_form_of(word: str, other: str) -> bool:
    return (word[:4] == other[:4] and abs(len(word) - len(other)) <= 3) or word in (f"{other}s", f"{other}ing")


def test_no_docstring_only_refers_to_another_or_repeats_the_name() -> None:
    assert len(all_docstrings()) > 2000
    assert not [each for each in all_docstrings() if REFERENCE.fullmatch(each.text) or repeats(*each[1:])]


def test_no_docstring_begins_as_a_question() -> None:
    """A docstring begins with a verb or a noun: `Returns whether …`, `True if …`, `The state of …`."""
    named = [each for each in all_docstrings() if each.name]
    assert len(named) > 2000
    assert not [each for each in named if QUESTION.match(each.text)]


def test_a_question_is_seen() -> None:
    assert QUESTION.match("Whether a file is a rule.")
    assert QUESTION.match("In which table the configuration is.")
    assert not QUESTION.match("Returns whether a file is a rule.")
    assert not QUESTION.match("Whichcraft.")


def test_what_repeats_a_name_is_seen() -> None:
    assert repeats("add_items", "Adds the items.")
    assert repeats("RuleFile", "A rule file.")
    assert not repeats("read", "Raises `OSError`.")
    assert REFERENCE.fullmatch("See `Matcher.search`.")
