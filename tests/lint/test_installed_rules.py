"""The rules that come with the reference agent, which its users run: no error is found in them.

Needs the agent: see conftest.py. Nothing of its files is kept; they are read where it is installed.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.engine import check_file
from ttsr_ls.lint.finding import Severity
from ttsr_ls.syntax.reader import decode, read_rule


def installed() -> list[Path]:
    for parent in Path(os.environ["TTSR_OMP"]).resolve().parents:
        found = sorted(parent.glob("node_modules/@oh-my-pi/pi-coding-agent/src/discovery/builtin-rules/*.md"))
        if found:
            return found
    raise AssertionError("the installation has no rule files")


def test_installed_rules_are_found() -> None:
    assert len(installed()) >= 27


@pytest.mark.parametrize("path", installed(), ids=lambda path: path.stem)
def test_rules_installed_with_the_agent_have_no_errors(path: Path) -> None:
    text, problems = decode(path.read_bytes())
    file = read_rule(text, name=path.stem, path=f"builtin-rules/{path.name}")
    findings = check_file(file, LintContext(provider="builtin-defaults"), problems)
    assert not [finding for finding in findings if finding.severity is Severity.ERROR]
