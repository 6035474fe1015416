"""The checks of `doctor` of the rules of the current folder: how many are in force, and which are not.

A rule that is not in force by mistake is a failure. A rule that a user switched off is a warning.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from ttsr_ls.bridge.rules.ast_problems import with_ast_problems
from ttsr_ls.cli.check.check_run import CheckRun
from ttsr_ls.cli.formats.report import UncheckedFile
from ttsr_ls.cli.install.doctor_report import DoctorCheck
from ttsr_ls.cli.list.rule_status import ListedRule, list_rules
from ttsr_ls.cli.printing.folder_above_text import folder_above_advice, folder_above_problem
from ttsr_ls.lint.finding import Severity
from ttsr_ls.rules.providers import UnseenReason
from ttsr_ls.rules.rule_set import MAIN_AGENT, RefusalReason
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.folders_above import rule_folders_above
from ttsr_ls.store.discovery.local_rules import LocalRules, UnreadableFile
from ttsr_ls.store.files.bounded_file import UnreadableCause

_MAX_NAMED = 5
_SWITCHED_OFF = frozenset(
    {
        RefusalReason.NOT_ENABLED,
        RefusalReason.DISABLED_EXTENSION,
        RefusalReason.DISABLED_BY_SETTING,
        RefusalReason.TTSR_OFF,
    }
)
"""The reasons by which a user took a rule out of force."""
_UNSEEN_TOOLS = {"codex": frozenset({"apply_patch"})}
"""The tools that the hooks of an agent report as other tools, so that no rule with them in its scope fires."""


def check_rules(rules: LocalRules) -> Iterator[DoctorCheck]:
    """Counts the rules in force, and names each rule that is not, or for which `ttsr-ls check` reports an error."""
    environment = AgentEnvironment.current()
    session_rules = with_ast_problems(rules.session_rules(MAIN_AGENT))
    listed = list_rules(rules, str(environment.cwd))
    in_force = len(session_rules.rules)
    noun = "rule is" if in_force == 1 else "rules are"
    yield DoctorCheck(
        f"{in_force} {noun} in force in {Path.cwd()}.", "" if in_force else _no_rule(has_files=bool(rules.loaded))
    )
    yield from map(_unreadable, rules.unreadable)
    yield from _not_in_force(session_rules, rules.unreadable, listed)
    yield from _not_seen(rules, str(environment.cwd))
    yield from _switched_off(listed)
    for above in rule_folders_above(environment):
        yield DoctorCheck(folder_above_problem(above), folder_above_advice(above), is_warning=in_force > 0)
    named = {problem.path for problem in session_rules.problems}
    paths = (rule.found.path for rule in rules.loaded if str(rule.found.path) not in named)
    with CheckRun(None) as run:
        for path in filter(os.path.isfile, dict.fromkeys(paths)):
            reason = _first_error(run, path)
            if reason is not None:
                yield DoctorCheck(
                    f"{path} has an error, so the rule may not work as written: {reason}",
                    f"`ttsr-ls check {shlex.quote(str(path))}` shows it in its place.",
                    is_warning=True,
                )


def check_rules_for_hooks(rules: LocalRules, agent: str, title: str) -> Iterator[DoctorCheck]:
    """Names the rules in force whose whole scope the hooks of an agent never see."""
    session_rules = rules.session_rules(MAIN_AGENT)
    thinking: list[str] = []
    unseen_tools: list[str] = []
    for rule in session_rules.rules:
        tools = {scope.tool for scope in rule.scope.tools}
        if rule.scope.text or rule.scope.any_tool or not tools <= _UNSEEN_TOOLS.get(agent, frozenset()):
            continue
        (unseen_tools if tools else thinking).append(rule.name)
    if thinking:
        yield DoctorCheck(
            f"{title}'s hooks do not see thinking, so these rules never fire in it: {_named(thinking)}.",
            f"Add `text` or a tool to their `scope`, or start the agent by `ttsr-ls run {agent}`.",
        )
    if unseen_tools:
        yield DoctorCheck(
            f"{title}'s hooks report patches as calls of `write` and `edit`, so these rules never fire: "
            f"{_named(unseen_tools)}.",
            "Write `tool:write, tool:edit` in their `scope` instead of `tool:apply_patch`.",
        )


_REMEDIES = {
    UnreadableCause.ACCESS: ("Give your user the right to read it. If it is a broken link, correct or delete it."),
    UnreadableCause.FILE_TOO_LARGE: "Shorten the file.",
    UnreadableCause.ALL_TOO_LARGE: "Shorten or delete rule files: all of them together are read up to that limit.",
    UnreadableCause.TOO_MANY_PATTERNS: "Shorten the file, or name folders in it instead of files.",
    UnreadableCause.TOO_MANY_FILES: "Delete files there, or move them to a folder that is no rule folder.",
}


def _no_rule(*, has_files: bool) -> str:
    if has_files:
        return "None of the files that were found is in force: `ttsr-ls list --all` names the reason of each."
    return "`ttsr-ls init` adds a first rule to this project, `ttsr-ls new NAME` creates one of your own."


def _unreadable(file: UnreadableFile) -> DoctorCheck:
    if file.cause is UnreadableCause.TOO_MANY_PATTERNS:
        what = f"An ignore file is read only in part: {file.reason}."
        return DoctorCheck(what, _REMEDIES[file.cause], is_warning=True)
    # The name of a folder has a slash.
    unread = "The rules of a folder are" if "/" in file.found.name else f"The rule {file.found.name} is"
    return DoctorCheck(f"{unread} not in force: {file.reason}.", _REMEDIES[file.cause])


def _not_in_force(
    session_rules: RulesByDialect, unreadable: Iterable[UnreadableFile], listed: Iterable[ListedRule]
) -> Iterator[DoctorCheck]:
    """Names the rules that could be read, and are not in force or only in part."""
    unread = {str(file.found.path) for file in unreadable}
    shadowed = {str(rule.rule.found.path) for rule in listed if rule.shadowed_by is not None}
    for problem in session_rules.problems:
        if problem.path in unread:
            continue
        is_shadowed = problem.path in shadowed
        check = f"Run `ttsr-ls check {shlex.quote(problem.path)}`: it shows what to correct."
        yield DoctorCheck(
            f"The rule {problem.rule} is {'in part' if problem.in_force else 'not'} in force ({problem.path}). "
            f"{problem.reason}",
            "Rename or delete one of the two files, unless this is intended." if is_shadowed else check,
            is_warning=problem.in_force or is_shadowed,
        )


def _not_seen(rules: LocalRules, folder: str) -> Iterator[DoctorCheck]:
    for unseen in rules.unseen:
        if unseen.reason is UnseenReason.IGNORED:
            ignored = unseen.rule.found.ignored_by
            where = "" if ignored is None else f" ({ignored.path}, line {ignored.line}: {ignored.pattern})"
            yield DoctorCheck(
                f"The rule {unseen.rule.found.name} is not in force: {unseen.reason}{where}.",
                f"Add the line `!{os.path.relpath(unseen.rule.found.path, folder)}` to the end of "
                f"{folder}/.gitignore, or move the rule.",
            )


def _switched_off(listed: Iterable[ListedRule]) -> Iterator[DoctorCheck]:
    for rule in listed:
        if rule.refusal in _SWITCHED_OFF:
            yield DoctorCheck(
                f"The rule {rule.rule.found.name} is switched off: {rule.why}.",
                "Undo that to have it in force.",
                is_warning=True,
            )
        elif rule.never_fires:
            yield DoctorCheck(
                f"The rule {rule.rule.found.name} {rule.why}.",
                f"Run `ttsr-ls check {shlex.quote(str(rule.rule.found.path))}`: it shows what to correct.",
            )


def _named(names: list[str]) -> str:
    more = f", and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
    return ", ".join(names[:_MAX_NAMED]) + more


def _first_error(run: CheckRun, path: Path) -> str | None:
    file = run.open(path)
    if isinstance(file, UncheckedFile):
        return file.reason
    errors = (finding for finding in file.check(file.text) if finding.severity is Severity.ERROR)
    return next((finding.message for finding in errors), None)
