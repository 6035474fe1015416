"""`--baseline`: leaves out the findings that a file lists as known. `--write-baseline` writes that file."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from ttsr_ls.cli.formats.report import CheckedFile, CheckReport
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.output import write_error
from ttsr_ls.lint.suppressions.fingerprint import fingerprints
from ttsr_ls.store.settings.baseline import Baseline, KnownFinding, read_baseline, write_baseline
from ttsr_ls.text import LineIndex


def without_known_findings(report: CheckReport, args: argparse.Namespace) -> CheckReport:
    """Returns the report without the findings of the baseline. With `--write-baseline`, writes all findings to it."""
    if args.write_baseline:
        write_known(report.files, args.baseline)
    baseline = read_baseline(args.baseline)
    kept = tuple(_without_known(file, baseline) for file in report.files)
    known = sum(len(before.findings) - len(after.findings) for before, after in zip(report.files, kept, strict=True))
    return replace(report, files=kept, known=known)


def write_known(files: Iterable[CheckedFile], path: Path) -> None:
    """Writes the findings of files as the baseline at `path`, and prints their number. Raises `BaselineError`."""
    findings = [
        KnownFinding(Path(file.path), finding.code, fingerprint)
        for file in files
        for finding, fingerprint in zip(file.findings, _fingerprints(file), strict=True)
    ]
    write_baseline(path, findings)
    write_error(f"wrote {count(len(findings), 'finding')} to {path}")


def are_all_known(file: CheckedFile, baseline: Baseline) -> tuple[bool, ...]:
    """Returns for each finding of a file whether it is in the baseline."""
    return tuple(baseline.knows(Path(file.path), fingerprint) for fingerprint in _fingerprints(file))


def _without_known(file: CheckedFile, baseline: Baseline) -> CheckedFile:
    known = zip(file.findings, are_all_known(file, baseline), strict=True)
    return replace(file, findings=tuple(finding for finding, is_known in known if not is_known))


def _fingerprints(file: CheckedFile) -> tuple[str, ...]:
    return fingerprints(LineIndex(file.text), file.findings)
