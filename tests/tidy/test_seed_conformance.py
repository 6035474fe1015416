"""Each row of the table of seed conformance names tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| [^|]+ \| [^|]+ \| (?P<tests>[^|]+) \|$")
TEST = re.compile(r"`(?P<file>tests/[\w/]+\.py)::(?P<name>test_\w+)`")


def rows() -> list[str]:
    table = (ROOT / "docs" / "seed-conformance.md").read_text()
    found = [row["tests"] for line in table.splitlines() if (row := ROW.match(line))]
    return [tests for tests in found if tests not in ("test", "---")]


def test_each_row_names_tests_that_exist() -> None:
    assert len(rows()) > 20
    for tests in rows():
        named = list(TEST.finditer(tests))
        assert named, tests
        for test in named:
            assert f"def {test['name']}(" in (ROOT / test["file"]).read_text(), test[0]
