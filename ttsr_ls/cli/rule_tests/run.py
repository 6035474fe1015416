"""Runs the tests of rules for `ttsr-ls test` without a text: once, or after each change."""

from __future__ import annotations

import argparse
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.formats.choice import opened_output
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.output import write_error, write_line
from ttsr_ls.cli.rule_paths import rule_paths
from ttsr_ls.cli.rule_tests.machine_reports import write_run_json, write_run_junit
from ttsr_ls.cli.rule_tests.results import RunReport, has_tests, run_rules
from ttsr_ls.cli.rule_tests.text_report import RunTextReport
from ttsr_ls.errors import TtsrError, UsageError
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.rule_tests.expectation_update import update_expectations
from ttsr_ls.store.files.bounded_file import read_file
from ttsr_ls.store.files.rewriting import NotRewrittenError, encode_like, rewrite_file
from ttsr_ls.store.rule_test_files import RuleWithTests, rules_with_tests
from ttsr_ls.syntax.settings_locations import settings_format_of

_SETTLING = 0.1
"""Seconds to wait after a change: editors write a file in several steps."""


def run_rule_tests(names: Sequence[str], args: argparse.Namespace) -> int:
    """Runs all tests of the rules that are named, or below the folders that are.

    The status is 1 where one fails, and 2 where a rule or a test file cannot be read.
    """
    with AstProcess() as search:
        return _run_repeatedly(names, args, search) if args.watch else _run_once(names, args, search)


def _run_repeatedly(names: Sequence[str], args: argparse.Namespace, search: AstProcess) -> int:
    """Runs the tests now and after each change of a file, until Ctrl-C."""
    # Imported lazily: importing it takes long.
    from ttsr_ls.store.watch import FolderWatch

    while True:
        event = threading.Event()
        # Started before the tests, so that changes while they run are noticed.
        watch = FolderWatch(_folders(names), event.set)
        watch.start()
        try:
            tested = _tested_texts(names)
            _run_and_print_errors(names, args, search)
            # Changes of other files, such as the one of `--output`, are ignored.
            while _tested_texts(names) == tested:
                _wait_for_change(event)
        finally:
            watch.stop()
        write_line()


def _wait_for_change(event: threading.Event) -> None:
    while not event.wait(1.0):
        pass
    while event.wait(_SETTLING):
        event.clear()


def _tested_texts(names: Sequence[str]) -> list[object]:
    """Returns the texts on which the results depend: those of the rules and of the test files, with their paths."""
    try:
        rules, unlisted = _rules(names)
    except UsageError as error:
        return [str(error)]
    files = [(rule.file.path, rule.file.text) if rule.file is not None else None for rule in rules]
    return [*unlisted, *((rule.path, rule.text, rule.unreadable) for rule in rules), *files]


def _run_and_print_errors(names: Sequence[str], args: argparse.Namespace, search: AstProcess) -> None:
    try:
        _run_once(names, args, search)
    except TtsrError as error:
        write_error(str(error))


def _folders(names: Sequence[str]) -> list[Path]:
    """The folders in which a change can change a test."""
    folders = {path if path.is_dir() else path.parent for path in map(Path, names)}
    with suppress(UsageError):  # A named file was deleted. Its folder shows when it is there again.
        folders |= {path.parent for path in rule_paths(list(names))}
    return sorted(folders)


def _run_once(names: Sequence[str], args: argparse.Namespace, search: AstProcess) -> int:
    rules, unlisted = _rules(names)
    if args.update:
        _update(rules, args, search)
        rules, unlisted = _rules(names)
    tested_rules = [rule for rule in rules if has_tests(rule)]
    unread = [rule.unreadable for rule in rules if rule.unreadable is not None]
    unreadable = [*unlisted, *unread]
    for reason in unreadable:
        write_error(reason)
    if not tested_rules and unreadable:
        return ExitCode.USAGE
    if not tested_rules:
        place = ", ".join(names)
        raise UsageError(
            f"no rule below {place} has tests: write NAME.test.yml beside a rule, or mark a block of code in its body "
            "by ttsr:fires; to test a text instead: ttsr-ls test TEXT"
        )
    with opened_output(args.output) as out:
        report = _report(tested_rules, len(rules) - len(tested_rules) - len(unread), args, search, out)
    if not report.rules:
        raise UsageError(f"no test has '{args.filter}' in the name of its rule or its own")
    if unreadable:
        return ExitCode.USAGE
    return ExitCode.OK if report.passed else ExitCode.FINDINGS


def _report(
    rules: Sequence[RuleWithTests], untested: int, args: argparse.Namespace, search: AstProcess, out: TextIO
) -> RunReport:
    text = RunTextReport(out) if args.format == "text" else None
    reported_rules = []
    for rule in run_rules(rules, search, args.filter):
        reported_rules.append(rule)
        if text is not None:
            text.rule(rule)
    report = RunReport(tuple(reported_rules), untested)
    if text is not None and reported_rules:
        text.end(report)
    elif args.format == "json":
        write_run_json(report, out)
    elif args.format == "junit":
        write_run_junit(report, out)
    return report


def _rules(names: Sequence[str]) -> tuple[tuple[RuleWithTests, ...], list[str]]:
    """The rules with their tests, and the reasons why folders could not be listed."""
    unlisted: list[str] = []
    found = rule_paths(list(names), on_unreadable=lambda _, reason: unlisted.append(reason))
    rules = rules_with_tests(path for path in found if settings_format_of(str(path.absolute())) is None)
    return rules, unlisted


def _update(rules: Sequence[RuleWithTests], args: argparse.Namespace, search: AstProcess) -> None:
    """Writes the actual results into the test files, and prints the changes. Raises `NotRewrittenError`."""
    for rule in run_rules(rules, search, args.filter):
        file = rule.tested.file
        if file is None:
            continue
        text, changed = update_expectations(file.text, [case.result for case in rule.cases])
        if changed:
            before = read_file(file.path)
            if encode_like(file.text, before) != before:
                raise NotRewrittenError(
                    f"{file.path} is not changed: somebody else has changed it in the meantime, or it is not UTF-8"
                )
            rewrite_file(file.path, before, encode_like(text, before))
            write_error(f"updated {count(changed, 'expectation')} in {file.path}")
