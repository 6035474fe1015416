"""`ttsr-ls list`: the rules that apply in the current folder, and what became of the others."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.loading_notes import print_notes
from ttsr_ls.cli.named_folders import add_rules_argument, named_folders
from ttsr_ls.cli.terminal import Palette, Style, one_line, palette_for
from ttsr_ls.engine.registration import Bucket
from ttsr_ls.engine.rule_set import Refusal, RefusalReason
from ttsr_ls.store.place import Place
from ttsr_ls.store.rules_here import LoadedRule, RulesHere, rules_at


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `list`."""
    add_rules_argument(parser)
    parser.add_argument("--json", action="store_true", help="print the rules that watch the stream, as JSON")


def run(args: argparse.Namespace) -> int:
    """Lists. A file that cannot be read is reported and does not stop the others."""
    here = rules_at(Place.here(), named_folders(args))
    if args.json:
        json.dump([_as_json(rule) for rule in here.loaded if _watches(here, rule)], sys.stdout, indent=2)
        print()
    else:
        _print_table(here, palette_for(sys.stdout))
    print_notes(here)
    return ExitCode.USAGE if here.unreadable else ExitCode.OK


def _refusal_of(here: RulesHere, rule: LoadedRule) -> Refusal | None:
    """Why a rule does not watch any agent's stream; None where it watches some agent's."""
    refusal = next((refusal for refusal in here.rule_set().refusals if refusal.path == rule.file.path), None)
    if refusal is not None and refusal.reason is RefusalReason.OTHER_AGENT and rule.registration.rule is not None:
        return None
    return refusal


def _watches(here: RulesHere, rule: LoadedRule) -> bool:
    return _refusal_of(here, rule) is None


def _as_json(rule: LoadedRule) -> dict[str, Any]:
    """The fields that the reference agent's `ttsr list --json` has (semantics.md 1.13)."""
    fields = rule.file.fields
    shown: dict[str, Any] = {
        "name": rule.file.name,
        "path": rule.file.path,
        "provider": rule.registration.provider,
        "condition": [text.value for text in fields.conditions],
        "astCondition": [text.value for text in fields.ast_conditions],
    }
    if fields.question is not None:
        shown["question"] = fields.question.value
    shown["scope"] = [token.text.value for token in fields.scope]
    shown["globs"] = [text.value for text in fields.globs]
    shown["agents"] = [text.value for text in fields.agents]
    if fields.description is not None:
        shown["description"] = fields.description
    return shown


def _print_table(here: RulesHere, palette: Palette) -> None:
    if not here.loaded:
        print("No rules here. Rules are Markdown files in .omp/rules, .agent/rules or .agents/rules.")
        return
    rows = [("NAME", "BUCKET", "PROVIDER", "WHY"), *(_row(rule, here) for rule in here.loaded)]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for number, row in enumerate(rows):
        cells = [f"{cell:<{width}}" for cell, width in zip(row[:3], widths, strict=True)]
        line = "  ".join([*cells, row[3]]).rstrip()
        print(palette.paint(line, Style.STRONG) if number == 0 else line)


def _row(rule: LoadedRule, here: RulesHere) -> tuple[str, str, str, str]:
    refusal = _refusal_of(here, rule)
    bucket = rule.registration.bucket if refusal is None else refusal.bucket
    why = _trigger(rule) if refusal is None else _landing(refusal.reason, bucket)
    return one_line(rule.file.name), str(bucket), rule.registration.provider, one_line(why)


def _landing(reason: str, bucket: Bucket) -> str:
    match bucket:
        case Bucket.ALWAYS:
            return f"told to the agent from the start (alwaysApply); does not fire: {reason}"
        case Bucket.RULEBOOK:
            return f"listed to the agent by its description; does not fire: {reason}"
        case _:
            return reason


def _trigger(rule: LoadedRule) -> str:
    fields = rule.file.fields
    parts = [f"/{text.value}/" for text in fields.conditions]
    parts += [f"ast {text.value}" for text in fields.ast_conditions]
    if fields.question is not None:
        parts.append(f"question: {fields.question.value}")
    scope = ", ".join(token.text.value for token in fields.scope) or "text, tool (default)"
    globs = f" on {', '.join(text.value for text in fields.globs)}" if fields.globs else ""
    agents = f" of the agents {', '.join(text.value for text in fields.agents)}" if fields.agents else ""
    return f"fires on {' or '.join(parts)} in {scope}{globs}{agents}"
