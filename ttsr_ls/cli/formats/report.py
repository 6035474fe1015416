"""What a run of `check` came to, before anybody says how it is printed."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.lint.finding import Finding, Severity


class CheckedFile(Struct, frozen=True):
    """A rule file and what is wrong with it. `path` is as people named it."""

    path: str
    text: str
    findings: tuple[Finding, ...]


class Unreadable(Struct, frozen=True):
    """A file that could not be checked, or not be written, and a sentence that says why."""

    path: str
    reason: str


class Report(Struct, frozen=True):
    """The files that were checked and those that could not be; `fixed` findings are gone, `known` ones not told.

    `fixable` is how many more findings unsafe fixes would remove, 0 where nothing was to be fixed.
    """

    files: tuple[CheckedFile, ...]
    unreadable: tuple[Unreadable, ...]
    fixed: int = 0
    known: int = 0
    fixable: int = 0

    def findings(self) -> Iterator[tuple[CheckedFile, Finding]]:
        """Every finding with its file, in order."""
        return ((file, finding) for file in self.files for finding in file.findings)

    def has(self, least: Severity) -> bool:
        """Whether some finding is at least so bad."""
        order = list(Severity)
        return any(order.index(finding.severity) <= order.index(least) for _, finding in self.findings())
