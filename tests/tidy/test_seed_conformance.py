"""Each row of the page of seed conformance names tests that can fail, and says where it differs from its seed."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).parents[2]
HEADER = "| section | statement | test | differs |"
RULER = "| --- | --- | --- | --- |"
TEST = re.compile(r"`(?P<file>tests/[\w/]+\.py)::(?P<name>test_\w+)`")
SEEDS = ("000", "001", "002", "003", "004")


class Row(Struct, frozen=True):
    seed: str
    section: str
    statement: str
    tests: str
    differs: str


def rows() -> list[Row]:
    found_rows, seed = [], ""
    for line in (ROOT / "docs" / "seed-conformance.md").read_text().splitlines():
        heading = re.match(r"## Seed (\d{3})", line)
        seed = heading[1] if heading else seed
        if line.startswith("|") and line not in (HEADER, RULER):
            cells = [cell.strip() for cell in line.removeprefix("|").removesuffix("|").split(" | ")]
            assert len(cells) == 4, line
            found_rows.append(Row(seed, *cells))
    return found_rows


@cache
def functions_of(file: str) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    """The tests that pytest collects from a file."""
    tree = ast.parse((ROOT / file).read_text())
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name: node for node in tree.body if isinstance(node, kinds) and node.name.startswith("test_")}


def can_fail(test: ast.AST) -> bool:
    """Returns whether a test asserts something, itself or by a function that checks, or expects an error."""
    for node in ast.walk(test):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Call) and re.search(r"raises|check_", ast.unparse(node.func)):
            return True
    return False


def test_there_is_a_table_for_each_seed() -> None:
    text = (ROOT / "docs" / "seed-conformance.md").read_text()
    assert text.count(HEADER) == text.count(RULER) == len(SEEDS)
    counted = {seed: sum(row.seed == seed for row in rows()) for seed in SEEDS}
    assert all(count >= 15 for count in counted.values()), counted
    assert sum(counted.values()) == len(rows())


def test_each_row_names_tests_that_exist_and_can_fail() -> None:
    for row in rows():
        named = list(TEST.finditer(row.tests))
        assert ", ".join(test[0] for test in named) == row.tests, row
        assert named, row
        for test in named:
            found_def = functions_of(test["file"]).get(test["name"])
            assert found_def is not None, test[0]
            assert can_fail(found_def), test[0]


def test_no_row_names_a_test_twice_and_no_statement_comes_twice() -> None:
    seen = [(row.seed, row.section, row.statement) for row in rows()]
    assert len(set(seen)) == len(seen)
    for row in rows():
        named = [test[0] for test in TEST.finditer(row.tests)]
        assert len(set(named)) == len(named), row


def test_each_row_says_whether_it_differs_from_its_seed() -> None:
    """A statement says what is so; why it is otherwise than in the seed stands in its own column."""
    assert sum(row.differs != "-" for row in rows()) > 20
    for row in rows():
        assert row.differs == "-" or len(row.differs.split()) > 1, row
        assert not row.differs.endswith("."), row
        assert "(the seed" not in row.statement, row
        assert "(there " not in row.statement, row
