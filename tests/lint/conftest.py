import os

import pytest

collect_ignore = [] if os.environ.get("TTSR_OMP") else ["test_installed_rules.py"]
"""The tests against the installed reference agent are part of a run where `TTSR_OMP` names its `omp`, else not."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write what is found into the rule-file cases")
