"""Runs `why`: walks a rule through its gates and prints them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.loading_notes import print_notes, print_replaced_lists
from ttsr_ls.cli.named_folders import named_folders
from ttsr_ls.cli.printing.markdown_text import render_markdown
from ttsr_ls.cli.printing.output import write_json, write_line
from ttsr_ls.cli.printing.terminal import Palette, TextStyle, one_line, palette_for
from ttsr_ls.cli.trial.trial_input import read_text
from ttsr_ls.cli.why.walk_report import WalkReport, walk_report
from ttsr_ls.errors import UsageError
from ttsr_ls.ide.trial.rule_trial import never_has_path
from ttsr_ls.ide.why.gates import GateStep, GateVerdict
from ttsr_ls.ide.why.stream_gates import StreamQuery
from ttsr_ls.ide.why.why import conclusion_text
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.rules.stream import Source
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.local_rules import rules_at

_MARKS = {
    GateVerdict.PASSES: ("ok  ", TextStyle.GOOD),
    GateVerdict.STOPS: ("STOP", TextStyle.ERROR),
    GateVerdict.OPEN: ("?   ", TextStyle.WARNING),
}


def run_why(args: argparse.Namespace) -> int:
    """Walks the rule through the gates and prints the report. The status is 0 if no gate stops the rule."""
    place = AgentEnvironment.current()
    rules = rules_at(place, named_folders(args))
    query = _query(args, place)
    with AstProcess() as ast_search:
        report = walk_report(args.rule, query, rules, place, ast_search)
    if args.format == "json":
        write_json(_report_json(report), indent=2)
    else:
        print_notes(rules)
        print_replaced_lists(rules)
        _print(report, palette_for(sys.stdout))
    return ExitCode.OK if report.walk.stopped is None else ExitCode.FINDINGS


def _query(args: argparse.Namespace, place: AgentEnvironment) -> StreamQuery:
    text, path = args.text, args.path
    if args.file is not None:
        text = read_text(args.file)
        if path is None and args.file != "-" and not never_has_path(args.tool):
            path = str(Path(place.cwd, args.file))
    source = None if args.source is None else Source(args.source)
    if source is not None and source is not Source.TOOL and (args.tool is not None or args.path is not None):
        raise UsageError(f"{source} has no tool and no path: leave out --tool and --path, or ask for --source tool")
    if args.path is not None and never_has_path(args.tool):
        raise UsageError(f"a call of {args.tool} has no path: leave out --path")
    return StreamQuery(args.agent, str(place.cwd), source, args.tool, path, args.fired, text, args.ago)


def _print(report: WalkReport, palette: Palette) -> None:
    walk = report.walk
    write_line(palette.paint(one_line(walk.name), TextStyle.STRONG))
    width = max(len(step.gate) for step in walk.steps)
    for step in walk.steps:
        _print_step(step, width, palette)
    write_line()
    write_line(render_markdown(conclusion_text(walk), palette))
    for note in report.notes:
        write_line(palette.paint(render_markdown(note, Palette(False)), TextStyle.FAINT))


def _print_step(step: GateStep, width: int, palette: Palette) -> None:
    mark, style = _MARKS[step.verdict]
    write_line(f"  {palette.paint(mark, style)} {step.gate:<{width}}  {render_markdown(step.text, palette)}")
    if step.fix is not None:
        indent = " " * (width + 9)
        write_line(f"{indent}{palette.paint('fix:', TextStyle.STRONG)} {render_markdown(step.fix, palette)}")


def _report_json(report: WalkReport) -> dict[str, Any]:
    walk = report.walk
    stopped = walk.stopped
    return {
        "rule": walk.name,
        "path": walk.path,
        "stoppedBy": None if stopped is None else str(stopped.gate),
        "gates": [
            {"gate": str(step.gate), "verdict": str(step.verdict), "text": step.text, "fix": step.fix}
            for step in walk.steps
        ],
        "conclusion": conclusion_text(walk),
        "notes": list(report.notes),
    }
