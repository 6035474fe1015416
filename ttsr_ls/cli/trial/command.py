"""`ttsr-ls test`: which rules fire on a text."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ttsr_ls.cli.agent.name import add_agent_argument
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.named_folders import add_rules_argument
from ttsr_ls.cli.printing.output import write_error, write_json, write_line
from ttsr_ls.cli.trial.expectations import (
    Expectation,
    add_expectation_arguments,
    are_expected,
    expectations,
    taken_for_name,
)
from ttsr_ls.cli.trial.output import TrialReport, as_json, print_text
from ttsr_ls.cli.trial.rules import Candidates, TrialRefusal, candidates_here, isolated
from ttsr_ls.cli.trial.trial_input import TrialInput, read_request
from ttsr_ls.errors import UsageError
from ttsr_ls.ide.trial.obstacles import Obstacle
from ttsr_ls.ide.trial.rule_trial import RuleTrial, Streaming, run_session_trial
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import Source
from ttsr_ls.syntax.dialects.table import DialectId

_DIALECTS = (DialectId.OMP, DialectId.OMP_LEGACY, DialectId.PI_TTSR)

_MOST_EXPLAINED = 20
"""Of how many rules that do not match it is looked up what `check` finds in them."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `test`."""
    parser.add_argument("snippet", nargs="?", metavar="SNIPPET", help="the text, or the name of a file that has it")
    parser.add_argument("--file", metavar="PATH", help="read the text from a file, or - for standard input")
    parser.add_argument("-r", "--rule", metavar="PATH", help="try this rule file alone")
    add_rules_argument(parser)
    parser.add_argument("--source", choices=[str(source) for source in Source], help="what kind of stream the text is")
    parser.add_argument("--tool", metavar="NAME", help="the tool whose argument the text is (default: edit)")
    parser.add_argument("-p", "--path", metavar="PATH", help="the file that the tool would write")
    add_agent_argument(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help="also show the rules that do not fire, and why")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    add_expectation_arguments(parser)
    parser.add_argument(
        "--matching",
        choices=[str(matching) for matching in Matching],
        help="what counts as a match: one that no further text can undo (stable, the default for rules of oh-my-pi), "
        "or any at a delta's end (reference, the default for rules of pi-ttsr)",
    )
    parser.add_argument(
        "--chunk", type=_number, metavar="N", help="stream the text in deltas of N characters (default: all at once)"
    )
    parser.add_argument(
        "--answers", type=_number, default=1, metavar="N", help="how many times the agent answers with the text"
    )
    parser.add_argument(
        "--pause", type=_seconds, default=0.0, metavar="SECONDS", help="the time between two answers (default: 0)"
    )
    parser.add_argument(
        "--dialect",
        choices=[str(dialect) for dialect in _DIALECTS],
        help="the dialect of the file that --rule names, where its place does not tell it",
    )


def run(args: argparse.Namespace) -> int:
    """Tries and reports."""
    if args.dialect is not None and args.rule is None:
        raise UsageError("--dialect says what the file of --rule is; name one")
    is_expected = are_expected(args)
    taken = taken_for_name(args)
    if taken is not None:
        raise UsageError(
            f"'{taken}' was taken for the name of a rule, and there is no text to test: put the text first, "
            "as in 'ttsr-ls test TEXT --expect-fire', or name the rule by --expect-fire=RULE"
        )
    request = read_request(args, Path.cwd())
    candidates = isolated(args) if args.rule is not None else candidates_here(args)
    if isinstance(candidates, TrialRefusal):
        return _refuse(candidates.reason, args.json)
    with AstProcess() as search:
        tried = _tried(candidates, request, args, search)
        # Of one rule it is always said what stops it.
        is_verbose = args.verbose or args.rule is not None
        explained = _explained(tried, candidates, search) if is_verbose or args.json else {}
    matching = Matching(args.matching or Matching.STABLE)
    report = TrialReport(request, tried, candidates.authored, args.agent, matching, args.answers, explained)
    expected = expectations(tried, args)
    failed = tuple(each for each in expected if not each.is_met)
    if args.json:
        shown = as_json(report)
        if is_expected:
            shown["expectations"] = [_expectation_json(each) for each in expected]
        write_json(shown, indent=2)
        return ExitCode.FINDINGS if failed else ExitCode.OK
    print_text(report, sys.stdout, verbose=is_verbose)
    for each in failed:
        write_line(f"expectation failed: {each.failure}.")
    if is_expected:
        return ExitCode.FINDINGS if failed else ExitCode.OK
    return ExitCode.FINDINGS if args.rule is not None and not tried.fired else ExitCode.OK


def _tried(candidates: Candidates, request: TrialInput, args: argparse.Namespace, search: AstProcess) -> RuleTrial:
    """What comes of the rules of each dialect, one dialect after the other."""
    matching = None if args.matching is None else Matching(args.matching)
    streaming = Streaming(candidates.settings, matching, args.chunk, answers=args.answers, pause=args.pause)
    return run_session_trial(candidates.rules, request.text, request.context, streaming, search)


def _explained(tried: RuleTrial, candidates: Candidates, search: AstProcess) -> dict[str, tuple[str, ...]]:
    """What `check` finds in the conditions of rules that no condition lets fire, by the paths of their files."""
    from ttsr_ls.ide.condition_findings import condition_findings

    unmatched = [outcome.rule.path for outcome in tried.silent if Obstacle.CONDITION in outcome.obstacles]
    files = [(path, candidates.files[path]) for path in unmatched if path in candidates.files]
    found = {path: condition_findings(file, search).messages for path, file in files[:_MOST_EXPLAINED]}
    return {path: messages for path, messages in found.items() if messages}


def _expectation_json(each: Expectation) -> dict[str, Any]:
    said = {"rule": each.outcome.rule.name, "expected": str(each.expected), "met": each.is_met}
    return said if each.is_met else {**said, "failure": each.failure}


def _refuse(reason: str, as_json_output: bool) -> int:
    if as_json_output:
        write_json({"error": reason})
    else:
        write_error(reason)
    return ExitCode.FINDINGS


def _number(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a whole number is needed, not '{text}'") from None
    if number < 1:
        raise argparse.ArgumentTypeError(f"there is at least one, not {number}")
    return number


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"a number of seconds is needed, not '{text}'")
    return seconds
