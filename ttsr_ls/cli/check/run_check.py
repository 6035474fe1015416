"""Runs `check`: opens the files, checks or fixes them, and reports."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from ttsr_ls.cli.check.baseline_arguments import refuse_unnamed_baseline
from ttsr_ls.cli.check.check_run import STDIN, STDIN_NAME, CheckRun, OpenedFile
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.formats.choice import opened_output, write_report
from ttsr_ls.cli.formats.report import CheckedFile, CheckReport, UncheckedFile
from ttsr_ls.cli.formats.statistics import Statistics, refuse_other_formats
from ttsr_ls.cli.named_folders import report_missing_folders
from ttsr_ls.cli.printing.output import write_error
from ttsr_ls.errors import UsageError
from ttsr_ls.lint.config.config import NO_CHANGES, ConfigChanges, read_config
from ttsr_ls.lint.finding import Severity
from ttsr_ls.store.settings.config_file import ProjectConfig, config_in_file, no_config


def run_check(args: argparse.Namespace) -> int:
    """Checks the files and prints a report. An unreadable file is in the report, and makes the status `USAGE`."""
    _refuse_conflicting_arguments(args)
    with CheckRun(_config(args), _changes(args)) as run:
        return _run(run, args)


def _run(run: CheckRun, args: argparse.Namespace) -> int:
    # All paths first: a wrong one must be reported before any file is changed.
    paths = list(run.paths(args.paths))
    files = chain(run.unlisted, (_open(run, path, args.stdin_name or STDIN_NAME) for path in paths))
    if args.diff:
        from ttsr_ls.cli.check.fixes import print_diffs

        report = print_diffs(files, args)
    else:
        report = _report(files, args)
        _print(report, args)
    report_missing_folders(run.configs)
    for unreadable in report.unreadable:
        write_error(unreadable.reason)
    if report.unreadable:
        return ExitCode.USAGE
    is_wrong = report.has(Severity(args.fail_on)) or (args.diff and report.fixed)
    return ExitCode.FINDINGS if is_wrong else ExitCode.OK


def _report(files: Iterable[OpenedFile | UncheckedFile], args: argparse.Namespace) -> CheckReport:
    if args.fix or args.unsafe_fixes:
        from ttsr_ls.cli.check.fixes import fix_files

        report = fix_files(files, args)
    else:
        report = _checked(files)
    if args.baseline is None:
        return report
    from ttsr_ls.cli.check.baseline import without_known_findings

    return without_known_findings(report, args)


def _refuse_conflicting_arguments(args: argparse.Namespace) -> None:
    refuse_unnamed_baseline(args)
    if args.statistics:
        refuse_other_formats(args.format)
    if args.config is not None and args.no_config:
        raise UsageError("--config and --no-config cannot be combined; leave out one of them")
    if args.stdin_name is not None and STDIN not in args.paths:
        raise UsageError("--stdin-name needs - among the paths: it is the path to assume for standard input")
    others = (args.format != "text", args.output is not None, args.baseline is not None, args.statistics)
    if args.diff and any(others):
        raise UsageError(
            "--diff prints nothing but the diff; leave out --format, --output, --baseline, and --statistics"
        )
    if STDIN in args.paths and (args.fix or args.unsafe_fixes) and not args.diff:
        raise UsageError("standard input cannot be changed; --diff shows what would be fixed")


def _config(args: argparse.Namespace) -> ProjectConfig | None:
    if args.config is not None:
        return config_in_file(args.config)
    return no_config() if args.no_config else None


def _changes(args: argparse.Namespace) -> ConfigChanges:
    """Returns the selection that the arguments describe, read as a configuration."""
    selection = {name: _names(getattr(args, name)) for name in ("select", "ignore") if getattr(args, name)}
    return read_config(selection, "the arguments").base if selection else NO_CHANGES


def _names(arguments: list[str]) -> list[str]:
    return [name for names in arguments for name in re.split(r"[\s,]+", names) if name]


def _open(run: CheckRun, path: Path, stdin_name: str) -> OpenedFile | UncheckedFile:
    return run.open_stdin(stdin_name) if str(path) == STDIN else run.open(path)


def _checked(opened_files: Iterable[OpenedFile | UncheckedFile]) -> CheckReport:
    files, unreadable = [], []
    for file in opened_files:
        if isinstance(file, UncheckedFile):
            unreadable.append(file)
        else:
            files.append(CheckedFile(file.path, file.text, file.check(file.text)))
    return CheckReport(tuple(files), tuple(unreadable))


def _print(report: CheckReport, args: argparse.Namespace) -> None:
    with opened_output(args.output) as out:
        if args.statistics:
            Statistics(report.files).write(args.format, out)
        else:
            write_report(report, args.format, out)
