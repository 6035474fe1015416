"""`ttsr-ls scan`: which rules would fire on the files of a folder, if an agent wrote them (spec Q2)."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.loading_notes import print_notes
from ttsr_ls.cli.named_folders import add_rules_argument, named_folders
from ttsr_ls.cli.printing.output import write_error, write_json
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.cli.scan.files import Tree, scanned_files
from ttsr_ls.cli.scan.output import Counts, ScanReport, TextReport, as_json, print_warnings
from ttsr_ls.errors import UsageError
from ttsr_ls.isolation.ast_pool import AstPool, available_processors
from ttsr_ls.matching.monitor.file_scan import FileScan, Thoroughness
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import RefusalReason
from ttsr_ls.store.discovery.rules_here import RulesHere, load_rule, rules_at
from ttsr_ls.store.discovery.scan_tree import MAX_SCANNED_BYTES, files_below
from ttsr_ls.store.gitignore.ignores import Ignores, ignores_of
from ttsr_ls.store.gitignore.users import users_ignore_file
from ttsr_ls.store.place import Place

DEFAULT_MAXIMUM = 5 * 1024 * 1024
_ISOLATED_PROVIDER = "ttsr-cli"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `scan`."""
    parser.add_argument("folder", nargs="?", metavar="DIR", help="the folder to scan (default: the current one)")
    parser.add_argument(
        "-r", "--rule", action="append", default=[], metavar="PATH", help="try this rule file alone; may be given again"
    )
    add_rules_argument(parser)
    parser.add_argument("--no-gitignore", action="store_true", help="also scan files that git ignores")
    parser.add_argument(
        "--max-bytes",
        type=_bytes,
        default=DEFAULT_MAXIMUM,
        metavar="N",
        help=f"leave out files of more than N bytes; 0 is {MAX_SCANNED_BYTES}, the most that is ever read "
        f"(default: {DEFAULT_MAXIMUM})",
    )
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="show all conditions that match, and what is skipped"
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def run(args: argparse.Namespace) -> int:
    """Scans and reports. Matches do not change the status."""
    place = Place.here()
    root = _root(args.folder, place.cwd)
    rules = _rules(args, place)
    thoroughness = Thoroughness.ALL if args.json or args.verbose else Thoroughness.FIRST
    with AstPool(available_processors()) as ast_search:
        scan = FileScan(rules, ast_search, thoroughness)
        if not scan.rules:
            return _refuse(args)
        ignores = None if args.no_gitignore else _ignores(root, place)
        counts = Counts()
        tree = Tree(root, _shown_prefix(args.folder, root, place.cwd), files_below(root, ignores))
        scanned = scanned_files(scan, tree, args.max_bytes, counts)
        if args.json:
            report = ScanReport(tuple(scanned), counts, len(scan.rules), not args.no_gitignore, args.max_bytes)
            write_json(as_json(report))
        else:
            text = TextReport(sys.stdout, verbose=args.verbose)
            for file in scanned:
                text.file(file)
            text.summary(counts, len(scan.rules))
        print_warnings(scan, counts, sys.stderr)
    return ExitCode.OK


def _root(folder: str | None, cwd: Path) -> Path:
    if folder is None:
        return cwd
    shown = one_line(folder)
    try:
        if not (cwd / folder).exists():
            raise UsageError(f"there is no folder {shown}")
        if not (cwd / folder).is_dir():
            raise UsageError(f"{shown} is a file; 'ttsr-ls test --file {shown}' tries the rules on it")
        return (cwd / folder).resolve()
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot scan {shown}: {error}") from error


def _shown_prefix(folder: str | None, root: Path, cwd: Path) -> str:
    """The way from `cwd` to `root`, with a `/` at its end; outside of `cwd`, an absolute `folder` as it was named."""
    if root == cwd:
        return ""
    if root.is_relative_to(cwd):
        return f"{root.relative_to(cwd).as_posix()}/"
    if folder is not None and Path(folder).is_absolute():
        return f"{Path(folder).as_posix().rstrip('/')}/"
    shared = next(parent for parent in (root, *root.parents) if cwd.is_relative_to(parent))
    up = "../" * len(cwd.relative_to(shared).parts)
    down = root.relative_to(shared).as_posix()
    return up if down == "." else f"{up}{down}/"


def _rules(args: argparse.Namespace, place: Place) -> tuple[Rule, ...]:
    """The rules to try: those that are named, whatever settings say of them, or all that watch some agent here."""
    if args.rule:
        named = [load_rule(Path(path).absolute(), _ISOLATED_PROVIDER) for path in args.rule]
        return tuple(each.rule for each in named if each.rule is not None)
    here = rules_at(place, named_folders(args))
    print_notes(here)
    return _of_some_agent(here)


def _of_some_agent(here: RulesHere) -> tuple[Rule, ...]:
    refused = {refusal.path for refusal in here.rule_set().refusals if refusal.reason is not RefusalReason.OTHER_AGENT}
    registered = (each.registration.rule for each in here.loaded if each.file.path not in refused)
    return tuple(rule for rule in registered if rule is not None)


def _ignores(root: Path, place: Place) -> Ignores:
    """What git ignores in the folder; the current folder's own files count too where the folder is below it."""
    users = users_ignore_file(place.cwd, place.home, place.environ)
    if not root.is_relative_to(place.cwd):
        return ignores_of(root, users)
    ignores = ignores_of(place.cwd, users)
    for name in root.relative_to(place.cwd).parts:
        ignores = ignores.below(name)
    return ignores


def _refuse(args: argparse.Namespace) -> int:
    reason = "there are no rules here with conditions that could be tried on files"
    if args.rule:
        reason = "the rule has no condition that could be tried on files; run 'ttsr-ls check' on it to see why"
    if args.json:
        write_json({"error": reason})
    else:
        write_error(reason)
    return ExitCode.FINDINGS


def _bytes(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"a file has at least 0 bytes, not {number}")
    return number
