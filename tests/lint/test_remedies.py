"""Every finding whose message names its remedy has a fix, unless a table says why none is possible."""

from __future__ import annotations

import pytest

from tests.lint.remedies import MECHANICAL, NO_FIX, corpus, reason_of
from ttsr_ls.lint.catalogue import CATALOGUE
from ttsr_ls.lint.finding import Finding


@pytest.fixture(scope="module")
def findings() -> list[Finding]:
    return corpus()


def test_findings_that_name_their_remedy_have_a_fix(findings: list[Finding]) -> None:
    without = {
        (finding.code, finding.message)
        for finding in findings
        if not finding.fixes and MECHANICAL.search(finding.message) and reason_of(finding) is None
    }
    assert not without


def test_each_reason_is_of_a_finding_without_fix(findings: list[Finding]) -> None:
    used = {
        row for row in NO_FIX for finding in findings
        if not finding.fixes and row[0] == finding.code and row[1] in finding.message
    }  # fmt: skip
    assert used == set(NO_FIX)


def test_the_corpus_has_every_code(findings: list[Finding]) -> None:
    assert {finding.code for finding in findings} == {entry.code for entry in CATALOGUE}
