"""Runs a scan and prints its report: line by line, or at the end if the format is one document."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from ttsr_ls.cli.check.baseline import write_known
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.formats.choice import opened_output, write_report
from ttsr_ls.cli.formats.report import CheckReport, UncheckedFile
from ttsr_ls.cli.formats.statistics import Statistics
from ttsr_ls.cli.printing.output import is_quiet, write_error, write_json
from ttsr_ls.cli.scan.as_json import ScanReport, as_json
from ttsr_ls.cli.scan.counts import Counts
from ttsr_ls.cli.scan.files import FileReading, scanned_files
from ttsr_ls.cli.scan.matches import MatchFilter, ScannedFile, describe_rules
from ttsr_ls.cli.scan.output import ConciseReport, TextReport, print_warnings
from ttsr_ls.cli.scan.progress import ProgressDisplay
from ttsr_ls.cli.scan.targets import ScanTarget
from ttsr_ls.matching.monitor.file_scan import FileScan
from ttsr_ls.store.discovery.scan_tree import UnreadReason
from ttsr_ls.store.settings.baseline import read_baseline


def scan_and_report(
    scan: FileScan,
    targets: Sequence[ScanTarget],
    reading: FileReading,
    progress: ProgressDisplay,
    args: argparse.Namespace,
) -> int:
    """Scans, prints in the format of `args`, and returns the status."""
    if args.write_baseline:
        _write_baseline(scan, targets, reading, progress, args)
    baseline = None if args.baseline is None else read_baseline(args.baseline)
    counts = Counts()
    match_filter = MatchFilter(not args.no_suppressions, baseline)
    unreadable: list[UncheckedFile] = []
    files = _readable(scanned_files(scan, targets, reading, match_filter, counts), unreadable, progress)
    with opened_output(args.output) as out:
        _print(scan, files, unreadable, counts, args, out)
    progress.clear()
    print_warnings(scan, counts, sys.stderr)
    for file in unreadable:
        write_error(file.reason)
    if unreadable:
        return ExitCode.USAGE
    return ExitCode.FINDINGS if counts.places and not args.exit_zero else ExitCode.OK


def _write_baseline(
    scan: FileScan,
    targets: Sequence[ScanTarget],
    reading: FileReading,
    progress: ProgressDisplay,
    args: argparse.Namespace,
) -> None:
    files = scanned_files(scan, targets, reading, MatchFilter(not args.no_suppressions, None), Counts())
    checked_files = [file.as_checked_file for file in files if file.matches]
    progress.clear()
    write_known(checked_files, args.baseline)


def _readable(
    files: Iterable[ScannedFile], unreadable: list[UncheckedFile], progress: ProgressDisplay
) -> Iterator[ScannedFile]:
    """The files; those that could not be read are added to `unreadable`, too."""
    for file in files:
        if file.unread is UnreadReason.UNREADABLE:
            reason = "" if file.detail is None else f": {file.detail}"
            unreadable.append(UncheckedFile(file.path, f"cannot read {file.path}{reason}"))
        progress.clear()
        yield file


def _print(
    scan: FileScan,
    files: Iterator[ScannedFile],
    unreadable: list[UncheckedFile],
    counts: Counts,
    args: argparse.Namespace,
    out: TextIO,
) -> None:
    if args.statistics:
        statistics = Statistics()
        for file in files:
            statistics.add(file.as_checked_file)
        statistics.write(args.format, out)
        return
    match args.format:
        case "text":
            text = TextReport(out, verbose=args.verbose)
            for file in files:
                text.file(file)
            if not is_quiet():
                text.summary(counts, len(scan.rules))
        case "concise":
            concise = ConciseReport(out)
            for file in files:
                concise.file(file)
            if not is_quiet():
                concise.summary()
        case "json":
            report = ScanReport(
                tuple(file for file in files if file.matches),
                counts,
                len(scan.rules),
                not args.no_gitignore,
                args.max_bytes,
            )
            write_json(as_json(report), out)
        case _:
            descriptions = describe_rules(scan.rules)
            checked = tuple(file.as_checked_file for file in files if file.matches)
            write_report(
                CheckReport(checked, tuple(unreadable), command="scan", describe=descriptions.__getitem__),
                args.format,
                out,
            )
