"""A rule file with one slip that leaves it silently wrong has a finding, on the line of the slip."""

from __future__ import annotations

from collections import Counter

from tests.lint.case_files import findings_of
from tests.lint.defects import Defect, generated, sound_files

COUNT, SEED = 700, 20261122


def found(defect: Defect) -> bool:
    (findings,) = findings_of([(defect.path, defect.text)])
    lines = defect.text.split("\n")
    slips = {number for number, line in enumerate(lines) if defect.mark and defect.mark in line}
    for finding in findings:
        first = defect.text.count("\n", 0, finding.span.start)
        last = defect.text.count("\n", 0, finding.span.end)
        if finding.code in defect.codes and (not defect.mark or slips & set(range(first, last + 1))):
            return True
    return False


def test_sound_rules_have_no_finding() -> None:
    for text in sound_files():
        assert findings_of([(".omp/rules/r.md", text)]) == [()], text


def test_each_generated_defect_is_reported_at_its_position() -> None:
    defects = list(generated(COUNT, SEED))
    assert len(defects) == COUNT
    kinds = Counter(defect.kind for defect in defects)
    assert len(kinds) >= 25
    missed = [f"{defect.kind}: {defect.path}\n{defect.text}" for defect in defects if not found(defect)]
    assert not missed, f"{len(missed)} of {COUNT}\n" + "\n".join(missed[:10])
