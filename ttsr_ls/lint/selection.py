"""What of all findings a project wants to hear, and how bad it takes each to be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.lint.catalogue import CATALOGUE
from ttsr_ls.lint.finding import Finding, Severity

ALL_CODES = frozenset(entry.code for entry in CATALOGUE)


class CodeSelection(Struct, frozen=True):
    """The codes that are reported, and the severities that differ from the catalogue's."""

    codes: frozenset[str]
    severities: Mapping[str, Severity]

    def applied(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings that are reported, as they are reported, in order."""
        return tuple(
            replace(finding, severity=self.severities.get(finding.code, finding.severity))
            for finding in findings
            if finding.code in self.codes
        )


EVERYTHING = CodeSelection(ALL_CODES, MappingProxyType({}))
