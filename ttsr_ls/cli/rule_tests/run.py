"""Runs the tests of rules for `ttsr-ls test` without a text: once, or after each change."""

from __future__ import annotations

import argparse
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.formats.choice import opened_output
from ttsr_ls.cli.printing.output import write_error, write_line
from ttsr_ls.cli.rule_paths import rule_paths
from ttsr_ls.cli.rule_tests.machine_reports import write_run_json, write_run_junit
from ttsr_ls.cli.rule_tests.results import RunReport, has_tests, run_rules
from ttsr_ls.cli.rule_tests.text_report import RunTextReport
from ttsr_ls.errors import UsageError
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.rule_tests.expectation_update import updated
from ttsr_ls.store.files.rewriting import encode_like, rewrite_file
from ttsr_ls.store.rule_test_files import RuleWithTests, rules_with_tests
from ttsr_ls.syntax.settings_locations import settings_format_of

_SETTLING = 0.1
"""Seconds to wait after a change: editors write a file in several steps."""


def run_rule_tests(named: Sequence[str], args: argparse.Namespace) -> int:
    """Runs all tests of the rules that are named, or below the folders that are. The status is 1 where one fails."""
    with AstProcess() as search:
        return _run_repeatedly(named, args, search) if args.watch else _run_once(named, args, search)


def _run_repeatedly(named: Sequence[str], args: argparse.Namespace, search: AstProcess) -> int:
    """Runs the tests now and after each change of a file, until Ctrl-C."""
    # Here and not above: it takes long to import.
    from ttsr_ls.store.watch import FolderWatch

    while True:
        changed = threading.Event()
        # Before the tests are run: what changes meanwhile counts, too.
        watch = FolderWatch(_folders(named), changed.set)
        watch.start()
        try:
            _run_or_say_why_not(named, args, search)
            while not changed.wait(1.0):
                pass
            while changed.wait(_SETTLING):
                changed.clear()
        finally:
            watch.stop()
        write_line()


def _run_or_say_why_not(named: Sequence[str], args: argparse.Namespace, search: AstProcess) -> None:
    try:
        _run_once(named, args, search)
    except UsageError as error:
        write_error(str(error))


def _folders(named: Sequence[str]) -> list[Path]:
    """The folders in which a change can change a test."""
    folders = {path if path.is_dir() else path.parent for path in map(Path, named)}
    return sorted(folders | {path.parent for path in rule_paths(list(named))})


def _run_once(named: Sequence[str], args: argparse.Namespace, search: AstProcess) -> int:
    rules = _rules(named)
    if args.update:
        _update(rules, args, search)
        rules = _rules(named)
    tested = [rule for rule in rules if has_tests(rule)]
    if not tested:
        where = ", ".join(named)
        raise UsageError(
            f"no rule below {where} has tests: write NAME.test.yml beside a rule, or mark a block of code in its body "
            "by ttsr:fires; for a text instead, give it: ttsr-ls test TEXT"
        )
    with opened_output(args.output) as out:
        report = _report(tested, len(rules) - len(tested), args, search, out)
    if not report.rules:
        raise UsageError(f"no test has '{args.filter}' in the name of its rule or its own")
    return ExitCode.OK if report.passed else ExitCode.FINDINGS


def _report(
    tested: Sequence[RuleWithTests], untested: int, args: argparse.Namespace, search: AstProcess, out: TextIO
) -> RunReport:
    text = RunTextReport(out) if args.format == "text" else None
    ran = []
    for rule in run_rules(tested, search, args.filter):
        ran.append(rule)
        if text is not None:
            text.rule(rule)
    report = RunReport(tuple(ran), untested)
    if text is not None and ran:
        text.end(report)
    elif args.format == "json":
        write_run_json(report, out)
    elif args.format == "junit":
        write_run_junit(report, out)
    return report


def _rules(named: Sequence[str]) -> tuple[RuleWithTests, ...]:
    paths = (path for path in rule_paths(list(named)) if settings_format_of(str(path.absolute())) is None)
    return rules_with_tests(paths)


def _update(rules: Sequence[RuleWithTests], args: argparse.Namespace, search: AstProcess) -> None:
    """Writes the actual results into the test files, and prints the changes."""
    for ran in run_rules(rules, search, args.filter):
        file = ran.tested.file
        if file is None:
            continue
        text, changed = updated(file.text, [each.result for each in ran.cases])
        if changed:
            before = file.path.read_bytes()
            rewrite_file(file.path, before, encode_like(text, before))
            what = "1 expectation" if changed == 1 else f"{changed} expectations"
            write_error(f"updated {what} in {file.path}")
