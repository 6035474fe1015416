"""Runs `check`: opens the files, checks or fixes them, and reports."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from pathlib import Path

from ttsr_ls.cli.check.baseline_arguments import refuse_nameless_baseline
from ttsr_ls.cli.check.check_run import STDIN, CheckRun, OpenedFile
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.formats.choice import (
    opened_output,
    write_report,
)
from ttsr_ls.cli.formats.report import CheckedFile, CheckReport, UncheckedFile
from ttsr_ls.cli.formats.statistics import Statistics, refuse_other_formats
from ttsr_ls.cli.named_folders import report_missing_folders
from ttsr_ls.cli.printing.output import write_error
from ttsr_ls.errors import UsageError
from ttsr_ls.lint.config.config import NO_CHANGES, ConfigChanges, read_config
from ttsr_ls.lint.finding import Severity
from ttsr_ls.store.settings.config_file import ProjectConfig, config_in_file, no_config


def run_check(args: argparse.Namespace) -> int:
    """Checks and reports. Unreadable files are reported beside the findings and make the status `USAGE`."""
    _refuse_nonsense(args)
    with CheckRun(_config(args), _changes(args)) as checking:
        return _run(checking, args)


def _run(checking: CheckRun, args: argparse.Namespace) -> int:
    # All paths first: a wrong one must be told before any file is changed.
    paths = list(checking.paths(args.paths))
    opened = (_open(checking, path, args.stdin_name) for path in paths)
    if args.diff:
        from ttsr_ls.cli.check.fixes import print_diffs

        report = print_diffs(opened, args)
    else:
        report = _report(opened, args)
        _print(report, args)
    report_missing_folders(checking.configs)
    for unreadable in report.unreadable:
        write_error(unreadable.reason)
    if report.unreadable:
        return ExitCode.USAGE
    is_wrong = report.has(Severity(args.fail_on)) or (args.diff and report.fixed)
    return ExitCode.FINDINGS if is_wrong else ExitCode.OK


def _report(opened: Iterable[OpenedFile | UncheckedFile], args: argparse.Namespace) -> CheckReport:
    if args.fix or args.unsafe_fixes:
        from ttsr_ls.cli.check.fixes import fixed

        report = fixed(opened, args)
    else:
        report = _checked(opened)
    if args.baseline is None:
        return report
    from ttsr_ls.cli.check.baseline import without_known_findings

    return without_known_findings(report, args)


def _refuse_nonsense(args: argparse.Namespace) -> None:
    refuse_nameless_baseline(args)
    if args.statistics:
        refuse_other_formats(args.format)
    if args.config is not None and args.no_config:
        raise UsageError("--config and --no-config exclude each other")
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


def _names(listed: list[str]) -> list[str]:
    return [name for names in listed for name in re.split(r"[\s,]+", names) if name]


def _open(checking: CheckRun, path: Path, stdin_name: str) -> OpenedFile | UncheckedFile:
    return checking.open_stdin(stdin_name) if str(path) == STDIN else checking.open(path)


def _checked(opened: Iterable[OpenedFile | UncheckedFile]) -> CheckReport:
    files, unreadable = [], []
    for each in opened:
        if isinstance(each, UncheckedFile):
            unreadable.append(each)
        else:
            files.append(CheckedFile(each.path, each.text, each.check(each.text)))
    return CheckReport(tuple(files), tuple(unreadable))


def _print(report: CheckReport, args: argparse.Namespace) -> None:
    with opened_output(args.output) as out:
        if args.statistics:
            Statistics(report.files).write(args.format, out)
        else:
            write_report(report, args.format, out)
