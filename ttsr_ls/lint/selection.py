"""Selects the findings that a project wants, with their severities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.lint.catalogue import CATALOGUE
from ttsr_ls.lint.finding import Finding, Severity

ALL_CODES = frozenset(entry.code for entry in CATALOGUE)


class CodeSelection(Struct, frozen=True):
    """The reported codes, and the severities that differ from the catalogue's."""

    codes: frozenset[str]
    severities: Mapping[str, Severity]

    def apply_to_findings(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Returns the reported findings with their severities, in order."""
        return tuple(
            replace(finding, severity=self.severities.get(finding.code, finding.severity))
            for finding in findings
            if finding.code in self.codes
        )


EVERYTHING = CodeSelection(ALL_CODES, MappingProxyType({}))
