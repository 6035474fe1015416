"""`check --baseline`: leaves out the findings that a project lives with for now, or writes down which those are."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from ttsr_ls.cli.formats.report import CheckedFile, Report
from ttsr_ls.cli.printing.output import write_error
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.suppressions.fingerprint import fingerprints
from ttsr_ls.store.settings.baseline import Baseline, KnownFinding, read_baseline, write_baseline
from ttsr_ls.text import LineIndex


def against_baseline(report: Report, args: argparse.Namespace) -> Report:
    """The report without what is in the baseline; with `--write-baseline`, all that there is becomes the baseline."""
    if args.write_baseline:
        known = [KnownFinding(Path(file.path), finding.code, name) for file, finding, name in _named(report)]
        write_baseline(args.baseline, known)
        what = "1 finding" if len(known) == 1 else f"{len(known)} findings"
        write_error(f"wrote {what} to {args.baseline}")
    baseline = read_baseline(args.baseline)
    kept = tuple(_without_known(file, baseline) for file in report.files)
    count = sum(len(before.findings) - len(after.findings) for before, after in zip(report.files, kept, strict=True))
    return replace(report, files=kept, known=count)


def _named(report: Report) -> Iterator[tuple[CheckedFile, Finding, str]]:
    for file in report.files:
        for finding, name in zip(file.findings, _names(file), strict=True):
            yield file, finding, name


def _without_known(file: CheckedFile, baseline: Baseline) -> CheckedFile:
    named = zip(file.findings, _names(file), strict=True)
    return replace(
        file, findings=tuple(finding for finding, name in named if not baseline.knows(Path(file.path), name))
    )


def _names(file: CheckedFile) -> tuple[str, ...]:
    return fingerprints(LineIndex(file.text), file.findings)
