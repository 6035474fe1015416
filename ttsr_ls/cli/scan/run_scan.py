"""Runs `scan`: finds the rules and the files, and reports."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from time import thread_time

from msgspec import Struct

from ttsr_ls.cli.check.baseline_arguments import refuse_unnamed_baseline
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.formats.statistics import refuse_other_formats
from ttsr_ls.cli.loading_notes import print_dropped, print_notes
from ttsr_ls.cli.named_folders import named_folders, named_rule_file
from ttsr_ls.cli.printing.output import write_error, write_json
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.cli.scan.files import FileReading
from ttsr_ls.cli.scan.progress import ProgressDisplay
from ttsr_ls.cli.scan.report import scan_and_report
from ttsr_ls.cli.scan.targets import Reader, ScanTarget, changed_targets, read_target, staged_reader, targets_of
from ttsr_ls.errors import UsageError
from ttsr_ls.isolation.ast_pool import AstPool, available_processors
from ttsr_ls.matching.monitor.file_scan import FileScan
from ttsr_ls.rules.dialects.dialect_profile import OMP
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import RefusalReason
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.local_rules import LocalRules, load_rule, rules_at
from ttsr_ls.store.gitignore.ignore_file import MAX_PATTERNS

_ISOLATED_PROVIDER = "ttsr-cli"


class _Source(Struct, frozen=True):
    """The files to scan, and how they are read."""

    targets: list[ScanTarget]
    read: Reader


def run_scan(args: argparse.Namespace) -> int:
    """Scans and reports. The status is 1 if a rule matches, and 2 if a file or a rule cannot be read."""
    _refuse_conflicting_arguments(args)
    place = AgentEnvironment.current()
    rules, is_complete = _rules(args, place)
    with AstPool(available_processors()) as ast_search, _source(args, place) as source:
        scan = FileScan(rules, ast_search, thread_time)
        if not scan.rules:
            return _refuse(args)
        progress = ProgressDisplay(len(source.targets))
        reading = FileReading(source.read, args.max_bytes, progress.on_file)
        status = scan_and_report(scan, source.targets, reading, progress, args)
    return status if is_complete else ExitCode.USAGE


def _refuse_conflicting_arguments(args: argparse.Namespace) -> None:
    refuse_unnamed_baseline(args)
    if args.diff is not None and args.staged:
        raise UsageError("--diff and --staged cannot be combined; leave out one of them")
    if args.statistics:
        refuse_other_formats(args.format)


@contextmanager
def _source(args: argparse.Namespace, place: AgentEnvironment) -> Iterator[_Source]:
    if args.diff is None and not args.staged:
        found = targets_of(args.paths, place, gitignore=not args.no_gitignore)
        for path in found.incomplete_ignores:
            write_error(
                f"cannot read all patterns of {one_line(str(path))}: it has more than {MAX_PATTERNS:,}, so files that "
                "it excludes may be scanned"
            )
        yield _Source(found.targets, read_target)
        return
    # Imported lazily: most scans do not ask git.
    from ttsr_ls.store.git_changes import StagedTexts, added_since, staged_lines

    if args.diff is not None:
        yield _Source(changed_targets(args.paths, added_since(place.cwd, args.diff), place), read_target)
        return
    targets = changed_targets(args.paths, staged_lines(place.cwd), place)
    texts = StagedTexts(place.cwd)
    try:
        yield _Source(targets, staged_reader(texts))
    finally:
        texts.close()


def _rules(args: argparse.Namespace, place: AgentEnvironment) -> tuple[tuple[Rule, ...], bool]:
    """The rules to try, and whether all could be read: the named rules, else all that apply to some agent here.

    Settings do not switch off a named rule.
    """
    if args.rule:
        rules = [load_rule(named_rule_file(name, args).absolute(), _ISOLATED_PROVIDER) for name in args.rule]
        return tuple(rule.rule for rule in rules if rule.rule is not None), True
    local_rules = rules_at(place, named_folders(args))
    print_notes(local_rules)
    print_dropped(local_rules.of(OMP))
    return _rules_of_some_agent(local_rules), not local_rules.unreadable


def _rules_of_some_agent(rules: LocalRules) -> tuple[Rule, ...]:
    refused = {refusal.path for refusal in rules.rule_set().refusals if refusal.reason is not RefusalReason.OTHER_AGENT}
    registered_rules = (rule.registration.rule for rule in rules.of(OMP) if rule.file.path not in refused)
    return tuple(rule for rule in registered_rules if rule is not None)


def _refuse(args: argparse.Namespace) -> int:
    reason = _nothing_to_try(args)
    if args.format == "json":
        write_json({"error": reason})
    else:
        write_error(reason)
    return ExitCode.USAGE


def _nothing_to_try(args: argparse.Namespace) -> str:
    if args.rule:
        return "the rule has no condition that could be tried on files; run 'ttsr-ls check' on it to see why"
    return "there are no rules here with conditions that could be tried on files; 'ttsr-ls list --all' says why"
