"""The rule-file cases: what `check` finds in each, to the character, with its message and fixes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lint.case_files import CASES, apply, findings_of, read_cases, render

FILES = sorted(CASES.glob("*.md"))


def test_there_are_cases() -> None:
    assert sum(len(read_cases(file.read_text())) for file in FILES) > 30


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_findings_are_as_written(file: Path, request: pytest.FixtureRequest) -> None:
    document = file.read_text()
    rendered = render(document)
    if request.config.getoption("--update", default=False):
        file.write_text(rendered)
        return
    assert rendered == document


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_names_are_unique(file: Path) -> None:
    names = [case.name for case in read_cases(file.read_text())]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_fix_removes_its_finding_and_makes_no_new_one(file: Path) -> None:
    for case in read_cases(file.read_text()):
        for text in case.texts:
            (findings,) = findings_of([(text.path, text.text)])
            before = {(finding.code, finding.message) for finding in findings}
            for finding in findings:
                for fix in finding.fixes:
                    fixed_text = apply(text.text, fix)
                    (after,) = findings_of([(text.path, fixed_text)])
                    left = {(finding.code, finding.message) for finding in after}
                    assert len(after) < len(findings), f"{case.name}: {fix.title} leaves\n{fixed_text}"
                    assert left <= before, f"{case.name}: {fix.title} makes new findings in\n{fixed_text}"
