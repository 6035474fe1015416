"""Verifies fixes that are declared safe: a working rule must not fire less because of a safe fix."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from ttsr_ls.esregex.analysis.graph.work import WorkBudget
from ttsr_ls.lint.finding import Finding, Safety
from ttsr_ls.lint.fixes.fixed_file import apply_edits
from ttsr_ls.lint.regex.trigger_coverage import fires_wherever
from ttsr_ls.rules.registration import Registration

_MAX_WORK = 50_000
"""How many characters may be parsed again for the fixes of one file; fixes beyond that are marked unsafe."""

_MAX_COMPARED = 200_000
"""How much work comparing the conditions before and after the fixes of one file may take; fixes beyond that are marked
unsafe."""

Register = Callable[[str], Registration]
"""Registers a rule file with the given text."""


def verify_fix_safety(findings: Iterable[Finding], text: str, register: Register) -> Iterator[Finding]:
    """Yields the findings of a file. A fix that could make the rule fire less is marked unsafe, even if its check
    declares it safe.
    """
    before: Registration | None = None
    work_left = _MAX_WORK
    comparing = WorkBudget(_MAX_COMPARED)
    safeties: dict[tuple[object, ...], Safety] = {}
    for finding in findings:
        fixes = []
        for fix in finding.fixes:
            safety = fix.safety
            if safety is Safety.SAFE:
                if before is None:
                    before = register(text)
                if fix.edits not in safeties:
                    work_left -= len(text)
                    is_safe = (
                        work_left >= 0
                        and comparing.left > 0
                        and fires_wherever(register(apply_edits(text, fix.edits)), before, comparing)
                    )
                    safeties[fix.edits] = Safety.SAFE if is_safe else Safety.UNSAFE
                safety = safeties[fix.edits]
            fixes.append(fix if safety is fix.safety else replace(fix, safety=safety))
        yield finding if tuple(fixes) == finding.fixes else replace(finding, fixes=tuple(fixes))
