"""`python -m benchmarks.rules FOLDER [FILE]`: what each delta costs with the rules of a folder, together and alone.

The rules are those of `ttsr-ls watch --rules FOLDER` within FOLDER: the files directly in it, and those that an agent
finds there, of all dialects, with the settings of the project and the user. The text is streamed as reply text, and,
if FILE is given, as the content of a file that the agent writes. The end of the output says what is not measured.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.feeding import DELTA, LENGTH
from benchmarks.machine import Machine
from benchmarks.measuring import Cost, cost_of, pieces
from benchmarks.real_texts import KINDS, real_text
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import RefusalReason
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.rules.stream import Delta, Payload, Source, StreamContext
from ttsr_ls.session.rules.rule_problems import problem_line
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect
from ttsr_ls.session.rules.session_monitor import SessionMonitor
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.local_rules import LocalRules, rules_at
from ttsr_ls.store.settings.config_file import ConfigFinder

_SECONDS = 2.0
_MAX_ROWS = 20


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rules", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a folder with rule files, or that of a project")
    parser.add_argument("file", type=Path, nargs="?", help="the text to stream (default: samples of each kind)")
    parser.add_argument("--all", action="store_true", help=f"show all rules, not only the {_MAX_ROWS} slowest")
    arguments = parser.parse_args()
    found = _found(arguments.folder.absolute())
    rules = found.session_rules()
    if not any(rule.conditions for rule in rules.rules):
        sys.exit(f"{arguments.folder} has no rule with a regular expression that is in force")
    try:
        texts = list(_texts(arguments.file))
    except OSError as error:
        sys.exit(f"cannot read {arguments.file}: {error.strerror}")
    machine = Machine()
    for title, context, text in texts:
        _print_table(rules, found.settings, title, context, text, machine, has_all_rows=arguments.all)
    print("\nNot measured:")
    for line in _not_measured(found, rules):
        print(f"- {line}")


def _found(folder: Path) -> LocalRules:
    environment = AgentEnvironment(folder, Path.home(), os.environ)
    return rules_at(environment, (folder, *ConfigFinder().config_for(folder).rule_folders))


def _print_table(
    rules: RulesByDialect,
    settings: Settings,
    title: str,
    context: StreamContext,
    text: str,
    machine: Machine,
    *,
    has_all_rows: bool,
) -> None:
    alone = [(rule, RulesByDialect.from_rules([rule])) for rule in rules.rules if rule.conditions]
    in_scope = [(rule, one) for rule, one in alone if SessionMonitor(one, settings, Matching.STABLE).can_match(context)]
    labels = _labels([rule for rule, _ in in_scope])
    wide = max(map(len, ["all together", *labels]))
    print(f"\n{title}\n{'rule':<{wide}}{'p50':>9}{'p99':>9}{'max':>9}  µs for a delta of {DELTA} units")
    print(_row("all together", wide, *_measured(rules, settings, context, text, machine)))
    rows = [
        (label, *_measured(one, settings, context, text, machine))
        for label, (_, one) in zip(labels, in_scope, strict=True)
    ]
    rows.sort(key=lambda row: -row[1].greatest)
    for name, cost, fired in rows if has_all_rows else rows[:_MAX_ROWS]:
        print(_row(name, wide, cost, fired))
    if len(in_scope) < len(alone):
        print(f"out of scope: {len(alone) - len(in_scope)} of {len(alone)} rules")


def _labels(rules: list[Rule]) -> list[str]:
    """The names of rules, with the dialect where two rules have the same name."""
    names = [rule.name for rule in rules]
    return [rule.name if names.count(rule.name) == 1 else f"{rule.name} ({rule.profile.id})" for rule in rules]


def _not_measured(found: LocalRules, rules: RulesByDialect) -> Iterator[str]:
    """Sentences on what a session does with the files of the folder beyond the deltas of this benchmark."""
    yield "`reference` matching: the figures are for `stable` matching, the default"
    yield "subagents: the rules are those of the main agent"
    with_ast = [rule.name for rule in rules.rules if rule.ast_conditions]
    if with_ast:
        yield f"AST conditions, which are evaluated at the end of a tool call and not at a delta: {', '.join(with_ast)}"
    asked = [rule.name for rule in rules.rules if rule.question is not None]
    if asked:
        yield f"rules with a question, which wait for a judge: {', '.join(asked)}"
    for problem in rules.problems:
        yield problem_line(problem)
    reported = {(problem.rule, problem.path) for problem in rules.problems}
    guidance = 0
    for refusal in rules.omp.refusals:
        if refusal.reason is RefusalReason.NO_TRIGGER:
            guidance += (refusal.name, refusal.path) not in reported
        elif (refusal.name, refusal.path) not in reported:
            yield f"{refusal.name} ({refusal.path}): {refusal.reason}"
    if guidance:
        yield f"files that are guidance and have no condition: {guidance}"
    for unseen in found.unseen:
        yield f"{unseen.rule.registration.name} ({unseen.rule.registration.path}): {unseen.reason}"


def _texts(file: Path | None) -> Iterator[tuple[str, StreamContext, str]]:
    reply = StreamContext(Source.TEXT)
    if file is None:
        for kind in KINDS:
            yield f"{kind} as reply text", reply, real_text(kind)[:LENGTH]
        return
    text = file.read_text(encoding="utf-8", errors="replace")
    paths = (str(file.absolute()), str(file), file.name)
    yield f"{file.name} as reply text", reply, text
    yield f"{file.name} as written", StreamContext(Source.TOOL, "write", paths, "toolcall:1", Payload.WRITTEN), text


def _measured(
    rules: RulesByDialect, settings: Settings, context: StreamContext, text: str, machine: Machine
) -> tuple[Cost, int]:
    monitor = SessionMonitor(rules, settings, Matching.STABLE)
    monitor.prewarm("\n".join(rule.body for rule in rules.rules))
    gc.collect()
    gc.freeze()
    fired = 0

    def feed(chunk: str) -> None:
        nonlocal fired
        fired += len(monitor.feed(Delta(context, chunk)))

    return cost_of(feed, pieces(text, DELTA), machine, _SECONDS), fired


def _row(name: str, wide: int, cost: Cost, fired: int) -> str:
    figures = "".join(f"{figure * 1e6:>9.1f}" for figure in (cost.median, cost.p99, cost.greatest))
    return f"{name:<{wide}}{figures}  {fired} triggers"


if __name__ == "__main__":
    main()
