"""Runs `test`: tries rules on a text, or runs rule tests."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import Any

from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.named_folders import named_rule_file
from ttsr_ls.cli.printing.output import is_quiet, write_error, write_json, write_line
from ttsr_ls.cli.rule_tests.arguments import (
    names_tests,
    refuse_missing_path,
    refuse_run_arguments,
    refuse_stream_arguments,
)
from ttsr_ls.cli.trial.expectations import Expectation, expectations, has_expectations, mistaken_for_rule_name
from ttsr_ls.cli.trial.output import TrialReport, as_json, print_text
from ttsr_ls.cli.trial.rules import Candidates, TrialRefusal, applicable_rules, isolated_rules
from ttsr_ls.cli.trial.trial_input import TrialInput, read_trial_input
from ttsr_ls.errors import UsageError
from ttsr_ls.ide.trial.obstacles import Obstacle
from ttsr_ls.ide.trial.rule_trial import RuleTrial, Streaming, run_trial_by_dialect
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.store.case_file_paths import case_file_of
from ttsr_ls.store.files.existence import is_file
from ttsr_ls.syntax.dialects.locations import RULE_SUFFIXES

_MAX_PATH = 4096
_MAX_EXPLAINED = 20
"""The maximum of rules that do not match whose findings of `check` are looked up."""


def run_trial(args: argparse.Namespace) -> int:
    """Tries a text and reports, or runs rule tests."""
    tests = _named_tests(args)
    if tests is not None:
        from ttsr_ls.cli.rule_tests.run import run_rule_tests

        return run_rule_tests(tests, args)
    refuse_run_arguments(args)
    if len(args.subjects) > 1:
        raise UsageError(
            f"'{args.subjects[1]}' is one text too many: put the text in quotes; "
            "for rule tests, name only folders and NAME.test.yml files"
        )
    if args.subjects and args.file is not None:
        raise UsageError("a text and --file cannot be combined; leave out one of them")
    args.snippet = args.subjects[0] if args.subjects else None
    if args.snippet is not None and _may_be_path(args):
        refuse_missing_path(args.snippet)
        if not is_quiet():
            _note_rule_file(args.snippet)
    return _try_text(args)


def _named_tests(args: argparse.Namespace) -> list[str] | None:
    """The files and folders whose tests are run; None if a text is tried."""
    if args.file is not None or args.expect_fire or args.expect_silent:
        return None
    if not args.subjects:
        refuse_stream_arguments(args)
        if args.rule is not None:
            return [str(named_rule_file(args.rule, args))]
        return [str(folder) for folder in args.rules] or ["."]
    if not all(map(names_tests, args.subjects)):
        return None
    refuse_stream_arguments(args)
    return list(args.subjects)


def _may_be_path(args: argparse.Namespace) -> bool:
    """Returns whether the text may be a path: no argument that is only for texts is given."""
    stream = (args.source, args.tool, args.path, args.rule, args.chunk, args.matching)
    return not has_expectations(args) and all(value is None for value in stream)


def _note_rule_file(name: str) -> None:
    """Prints how the tests of a rule are run, if the text is the path of its file."""
    path = Path(name)
    if name.endswith(RULE_SUFFIXES) and len(name) < _MAX_PATH and is_file(path) and case_file_of(path) is not None:
        write_error(f"note: {name} is tried as a text; its tests are run by: ttsr-ls test --rule {shlex.quote(name)}")


def _try_text(args: argparse.Namespace) -> int:
    if args.dialect is not None and args.rule is None:
        raise UsageError("--dialect needs --rule: it is the dialect of that file")
    is_expected = has_expectations(args)
    text = mistaken_for_rule_name(args)
    if text is not None:
        raise UsageError(
            f"'{text}' was read as the name of a rule, and there is no text to test: put the text first, "
            "as in 'ttsr-ls test TEXT --expect-fire', or name the rule by --expect-fire=RULE"
        )
    request = read_trial_input(args, Path.cwd())
    candidates = isolated_rules(args) if args.rule is not None else applicable_rules(args)
    if isinstance(candidates, TrialRefusal):
        return _refuse(candidates, args.format == "json")
    with AstProcess() as search:
        trial = _tried(candidates, request, args, search)
        # With --rule, the reason why the rule is silent is always printed.
        is_verbose = args.verbose or args.rule is not None
        explanations = _explained(trial, candidates, search) if is_verbose or args.format == "json" else {}
    mode = Matching(args.matching or Matching.STABLE)
    report = TrialReport(request, trial, candidates.authored, args.agent, mode, args.answers, explanations)
    expected = expectations(trial, args)
    failed = tuple(expectation for expectation in expected if not expectation.is_met)
    if args.format == "json":
        fields = as_json(report)
        if is_expected:
            fields["expectations"] = [_expectation_json(expectation) for expectation in expected]
        write_json(fields, indent=2)
    else:
        print_text(report, sys.stdout, verbose=is_verbose)
        for expectation in failed:
            write_line(f"expectation failed: {expectation.failure}.")
    if candidates.has_unreadable:
        return ExitCode.USAGE
    if is_expected or args.format == "json":
        return ExitCode.FINDINGS if failed else ExitCode.OK
    return ExitCode.FINDINGS if args.rule is not None and not trial.fired else ExitCode.OK


def _tried(candidates: Candidates, request: TrialInput, args: argparse.Namespace, search: AstProcess) -> RuleTrial:
    """The outcomes of the rules, one dialect after the other."""
    mode = None if args.matching is None else Matching(args.matching)
    streaming = Streaming(candidates.settings, mode, args.chunk, answers=args.answers, pause=args.pause)
    return run_trial_by_dialect(candidates.rules, request.text, request.context, streaming, search)


def _explained(trial: RuleTrial, candidates: Candidates, search: AstProcess) -> dict[str, tuple[str, ...]]:
    """Returns, by file path, the findings of `check` on conditions that explain why silent rules cannot fire."""
    from ttsr_ls.ide.condition_findings import condition_findings

    unmatched = [outcome.rule.path for outcome in trial.silent if Obstacle.CONDITION in outcome.obstacles]
    files = [(path, candidates.files[path]) for path in unmatched if path in candidates.files]
    found = {path: condition_findings(file, search).messages for path, file in files[:_MAX_EXPLAINED]}
    return {path: messages for path, messages in found.items() if messages}


def _expectation_json(expectation: Expectation) -> dict[str, Any]:
    fields = {"rule": expectation.outcome.rule.name, "expected": str(expectation.expected), "met": expectation.is_met}
    return fields if expectation.is_met else {**fields, "failure": expectation.failure}


def _refuse(refusal: TrialRefusal, as_json_output: bool) -> int:
    if as_json_output:
        write_json({"error": refusal.reason})
    else:
        write_error(refusal.reason)
    return ExitCode.USAGE if refusal.has_unreadable else ExitCode.FINDINGS
