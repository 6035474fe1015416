"""The result of a run of `check` or `scan`, before a format prints it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.finding import Finding, Severity


class CodeDescription(Struct, frozen=True):
    """The description of a finding code: one line without a full stop, how to learn more, and its page in Markdown.

    `url` is the address of the page, None where it has none.
    """

    summary: str
    help: str
    page: str
    severity: Severity
    url: str | None = None


class CheckedFile(Struct, frozen=True):
    """A file with its findings. `path` is in the form that the user wrote."""

    path: str
    text: str
    findings: tuple[Finding, ...]


class UncheckedFile(Struct, frozen=True):
    """A file that could not be checked, or not be written, and a sentence that says why."""

    path: str
    reason: str


def describe_check(code: str) -> CodeDescription:
    """The description of a code of `check`, from the catalogue."""
    entry = entry_of(code)
    return CodeDescription(entry.summary, f"Run 'ttsr-ls explain {code}'.", entry.page, entry.severity, entry.url)


class CheckReport(Struct, frozen=True):
    """The files that were checked and those that could not be; `fixed` findings are gone, `known` ones not reported.

    `fixable` is how many more findings unsafe fixes would remove; 0 for a run without fixes. `command` is the command
    that made the report, and `describe` describes a code of its findings.
    """

    files: tuple[CheckedFile, ...]
    unreadable: tuple[UncheckedFile, ...]
    fixed: int = 0
    known: int = 0
    fixable: int = 0
    command: str = "check"
    describe: Callable[[str], CodeDescription] = describe_check

    def findings(self) -> Iterator[tuple[CheckedFile, Finding]]:
        """Every finding with its file, in order."""
        return ((file, finding) for file in self.files for finding in file.findings)

    def has(self, severity: Severity) -> bool:
        """Returns whether some finding has at least this severity."""
        order = list(Severity)
        return any(order.index(finding.severity) <= order.index(severity) for _, finding in self.findings())
