"""Citations of the specification name clauses that exist, and people who use the program never see one."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "spec"
CLAUSE = re.compile(r"^(?:- |\| )\*\*([A-Z]\d+)\*\*", re.MULTILINE)
CITATION = re.compile(r"\bspec\s+((?:[A-Z]\d*)(?:(?:,\s+|\s+to\s+)[A-Z]\d*\b)*)")
BARE = re.compile(r"\(([A-Z]\d{1,2})[,;)]")
PAGE_CODE = re.compile(r"Rule semantics|\([A-Z]\d{1,2}[,;)]")
ABSENT = re.compile(r"\b(?:semantics|lints|design|engine|language-server|restructure)\.md|\b[Ss]eed 00\d")


@cache
def clauses() -> tuple[str, ...]:
    return tuple(clause for page in sorted(PAGES.glob("*.md")) for clause in CLAUSE.findall(page.read_text()))


def sources(*folders: str) -> Iterator[tuple[Path, str]]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path != Path(__file__):
                yield path, path.read_text()


def cited(text: str) -> Iterator[str]:
    """Each clause, or letter of a group of clauses, that a text cites; of a range all that lie in it."""
    for citation in CITATION.finditer(text):
        for part in re.split(r",\s+", citation[1]):
            first, *last = re.split(r"\s+to\s+", part)
            if last:
                assert first[0] == last[0][0], citation[0]
                yield from (f"{first[0]}{number}" for number in range(int(first[1:]), int(last[0][1:]) + 1))
            else:
                yield first


def test_each_clause_is_there_once_and_numbers_have_no_gaps() -> None:
    assert len(clauses()) > 100
    assert len(set(clauses())) == len(clauses())
    for group in {clause[0] for clause in clauses()}:
        numbers = sorted(int(clause[1:]) for clause in clauses() if clause[0] == group)
        assert numbers == list(range(1, len(numbers) + 1)), group


def test_each_cited_clause_exists() -> None:
    known = {*clauses(), *(clause[0] for clause in clauses())}
    count = 0
    for path, text in sources("ttsr_ls", "tests", "benchmarks"):
        for clause in cited(text):
            assert clause in known, (path, clause)
            count += 1
    assert count > 200


def test_a_range_is_read_as_all_its_clauses() -> None:
    assert list(cited('"""(spec F5 to F7, N1) and (spec M,\n    Z2)"""')) == ["F5", "F6", "F7", "N1", "M", "Z2"]


def test_code_cites_nothing_that_is_not_in_the_repository() -> None:
    for path, text in sources("ttsr_ls"):
        assert (match := ABSENT.search(text)) is None, (path, match)
        if BARE.search(text) is None:  # To parse everything takes seconds.
            continue
        with path.open("rb") as file:
            comments = [token.string for token in tokenize.tokenize(file.readline) if token.type == tokenize.COMMENT]
        for comment in (*comments, *_docstrings(text)):
            assert (bare := BARE.search(comment)) is None, (path, bare)


def test_messages_and_pages_show_no_clause() -> None:
    pages = sorted([*(ROOT / "ttsr_ls").rglob("*.md"), *(ROOT / "docs" / "findings").glob("*.md")])
    assert len(pages) > 50
    for page in pages:
        assert (match := CITATION.search(page.read_text()) or PAGE_CODE.search(page.read_text())) is None, (page, match)
    for path, text in sources("ttsr_ls"):
        if re.search(r"\bspec\b", text) is None:  # To parse everything takes seconds.
            continue
        documentation = set(_docstrings(text))
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in documentation:
                assert CITATION.search(node.value) is None, (path, node.value)


def _docstrings(text: str) -> list[str]:
    """The strings that stand alone as statements: documentation of modules, classes, functions and constants."""
    return [
        node.value.value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]
