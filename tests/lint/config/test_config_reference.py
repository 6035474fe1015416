"""The manual's list of configuration keys matches the table of keys; `pytest tests/lint/config --update` writes it."""

import re
from pathlib import Path

import pytest

from tests.lint.case_files import findings_of
from tests.lint.config.config_reference import config_reference
from ttsr_ls.lint.config.keys import CONFIG_KEYS

DOCUMENT = Path(__file__).parents[3] / "docs" / "configuration.md"
BEGIN, END = "<!-- made of ttsr_ls/lint/config/keys.py -->\n", "<!-- end -->\n"


def test_configuration_reference_in_the_manual_is_current(request: pytest.FixtureRequest) -> None:
    before, _, rest = DOCUMENT.read_text().partition(BEGIN)
    written, _, after = rest.partition(END)
    if request.config.getoption("--update", default=False):
        written = config_reference()
        DOCUMENT.write_text(before + BEGIN + written + END + after)
    assert written == config_reference()
    assert all(f"### `{key.name}`" in written for key in CONFIG_KEYS)


def test_suppressions_in_the_manual_suppress_all_findings_of_the_example() -> None:
    (rule,) = re.findall(r"^````markdown\n(.*?)^````$", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)
    assert rule.count("ttsr-ls: ignore[") == 3
    assert findings_of([(".omp/rules/lock.md", rule)]) == [()]
    assert len(findings_of([(".omp/rules/lock.md", re.sub("ttsr-ls: ignore", "", rule))])[0]) == 3
