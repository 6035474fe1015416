"""Fixes of many findings at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.ide.actions.quick_fixes import HasFindings
from ttsr_ls.ide.analysis import Analysis
from ttsr_ls.lint.finding import Edit, Safety
from ttsr_ls.lint.fixes.fixed_file import CompatibleEdits, fix_file
from ttsr_ls.text import Span


class FixesOfCode(Struct, frozen=True):
    """Edits of a document that fix several findings of one code."""

    code: str
    count: int
    edits: tuple[Edit, ...]


def all_safe_fixes(analysis: Analysis) -> Edit | None:
    """Returns the edit that `check --fix` would make to a document; None if nothing can be fixed safely."""
    text = analysis.document.text
    file = fix_file(text, analysis.check, frozenset((Safety.SAFE,)), analysis.keeps_triggers)
    return None if file.text == text else _difference(text, file.text)


def fixes_by_code(analysis: HasFindings, place: Span) -> Iterator[FixesOfCode]:
    """Yields, for each code found in `place` that can be fixed more than once in the document, all its fixes."""
    fixable = [finding for finding in analysis.findings if finding.fixes]
    counts = Counter(finding.code for finding in fixable)
    here = {finding.code for finding in fixable if finding.span.start <= place.end and place.start <= finding.span.end}
    for code in sorted(code for code in here if counts[code] > 1):
        edits = CompatibleEdits()
        count = 0
        for finding in fixable:
            fix = finding.fixes[0]
            if finding.code == code and edits.fit(fix):
                edits.add(fix)
                count += 1
        if count > 1:
            yield FixesOfCode(code, count, tuple(edits))


def _difference(old: str, new: str) -> Edit:
    """The smallest edit that turns `old` into `new`."""
    head = 0
    limit = min(len(old), len(new))
    while head < limit and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < limit - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return Edit(Span(head, len(old) - tail), new[head : len(new) - tail])
