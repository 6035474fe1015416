"""`ttsr-ls test`: which rules fire on a text."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from msgspec import Struct

from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.loading_notes import print_notes
from ttsr_ls.cli.named_folders import add_rules_argument, named_folders
from ttsr_ls.cli.test_output import Report, as_json, print_text
from ttsr_ls.cli.test_request import read_request
from ttsr_ls.engine.rule_set import MAIN_AGENT, admits_agent
from ttsr_ls.engine.settings import Matching, Settings
from ttsr_ls.engine.stream import Source
from ttsr_ls.ide.try_out import try_out
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.store.place import Place
from ttsr_ls.store.rules_here import LoadedRule, load_rule, rules_at

_ISOLATED_PROVIDER = "ttsr-cli"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `test`."""
    parser.add_argument("snippet", nargs="?", metavar="SNIPPET", help="the text, or the name of a file that has it")
    parser.add_argument("--file", metavar="PATH", help="read the text from a file, or - for standard input")
    parser.add_argument("-r", "--rule", metavar="PATH", help="try this rule file alone")
    add_rules_argument(parser)
    parser.add_argument("--source", choices=[str(source) for source in Source], help="what kind of stream the text is")
    parser.add_argument("--tool", metavar="NAME", help="the tool whose argument the text is (default: edit)")
    parser.add_argument("-p", "--path", metavar="PATH", help="the file that the tool would write")
    parser.add_argument("--agent", metavar="NAME", default=MAIN_AGENT, help="the agent that writes (default: main)")
    parser.add_argument("-v", "--verbose", action="store_true", help="also show the rules that do not fire, and why")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument(
        "--matching",
        choices=[str(matching) for matching in Matching],
        default=str(Matching.STABLE),
        help="what counts as a match: one that no further text can undo (stable), or any at a delta's end (reference)",
    )
    parser.add_argument(
        "--chunk", type=_chunk, metavar="N", help="stream the text in deltas of N characters (default: all at once)"
    )


def run(args: argparse.Namespace) -> int:
    """Tries and reports."""
    request = read_request(args, Path.cwd())
    candidates = _candidates(args)
    if isinstance(candidates, _Refused):
        return _refuse(candidates.reason, args.json)
    matching = Matching(args.matching)
    rules = tuple(each.registration.rule for each in candidates.rules if each.registration.rule is not None)
    with AstProcess() as search:
        tried = try_out(
            rules, request.text, request.context, candidates.settings, matching, args.chunk, ast_search=search
        )
    authored = {each.file.name: tuple(text.value for text in each.file.fields.conditions) for each in candidates.rules}
    report = Report(request, tried, authored, args.agent, matching)
    if args.json:
        json.dump(as_json(report), sys.stdout, indent=2)
        print()
        return ExitCode.OK
    print_text(report, sys.stdout, verbose=args.verbose)
    return ExitCode.FINDINGS if args.rule is not None and not tried.fired else ExitCode.OK


class _Refused(Struct, frozen=True):
    """There is nothing to try, and why."""

    reason: str


class _Candidates(Struct, frozen=True):
    """The rules to try, and the settings under which they are."""

    rules: tuple[LoadedRule, ...]
    settings: Settings


def _candidates(args: argparse.Namespace) -> _Candidates | _Refused:
    """The rules to try: all that have something that can be tried on a text."""
    if args.rule is not None:
        return _isolated(load_rule(Path(args.rule).absolute(), _ISOLATED_PROVIDER), args.agent)
    here = rules_at(Place.here(), named_folders(args))
    print_notes(here)
    watching = {rule.path for rule in here.rule_set(args.agent).rules}
    found = tuple(rule for rule in here.loaded if rule.file.path in watching and _can_be_tried(rule))
    if not found:
        return _Refused("there are no rules here that watch what an agent writes")
    return _Candidates(found, here.settings)


def _isolated(loaded: LoadedRule, agent: str) -> _Candidates | _Refused:
    """The one rule that is tried whatever settings, `enabled` and other rules say."""
    name, agents = loaded.file.name, loaded.registration.agents
    if not admits_agent(agents, agent):
        return _Refused(
            f"the rule '{name}' is only for the agents {', '.join(agents)}, and not for '{agent}'; "
            "name one of them with --agent"
        )
    if not _can_be_tried(loaded):
        return _Refused(
            f"the rule '{name}' has nothing that could be tried; run 'ttsr-ls check' on it to see why, "
            "or give it a condition"
        )
    return _Candidates((loaded,), Settings())


def _can_be_tried(loaded: LoadedRule) -> bool:
    """Whether a rule has more than a question, which only a judge can answer."""
    rule = loaded.registration.rule
    return rule is not None and bool(rule.conditions or rule.ast_conditions)


def _refuse(reason: str, as_json_output: bool) -> int:
    if as_json_output:
        print(json.dumps({"error": reason}))
    else:
        print(f"ttsr-ls: {reason}", file=sys.stderr)
    return ExitCode.FINDINGS


def _chunk(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a number of characters is needed, not '{text}'") from None
    if number < 1:
        raise argparse.ArgumentTypeError(f"a chunk has at least one character, not {number}")
    return number
