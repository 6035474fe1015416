"""Finds the rule that `why` is asked about and walks it through the gates. A name may have several files, or none."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

from ttsr_ls.errors import UsageError
from ttsr_ls.ide.markdown import inline_code
from ttsr_ls.ide.shown_path import shown_path
from ttsr_ls.ide.why.gates import GateWalk
from ttsr_ls.ide.why.missing_rule import (
    MissedFile,
    walk_builtin,
    walk_folder,
    walk_misplaced,
    walk_missing,
    walk_no_file,
    walk_of_unseen_file,
    walk_unreadable,
)
from ttsr_ls.ide.why.standing_gates import OmpSubject
from ttsr_ls.ide.why.stream_gates import StreamQuery
from ttsr_ls.ide.why.why import walk_gates
from ttsr_ls.ide.why.why_legacy import LegacySubject, walk_legacy
from ttsr_ls.ide.why.why_pi import PiSubject, walk_pi
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.lint.context import IgnoringLine
from ttsr_ls.rules.dialects.dialect_profile import OMP, OMP_LEGACY, PI, RegistrationPolicy
from ttsr_ls.rules.providers import BUILTIN_RULES, find_provider
from ttsr_ls.rules.rule_set import RefusalReason, RuleSet
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.local_rules import LoadedRule, LocalRules, UnseenRule
from ttsr_ls.store.discovery.similar_rule_files import similar_rule_files
from ttsr_ls.syntax.dialects.file_roles import rule_name_of
from ttsr_ls.syntax.pi.rule_file import PiRuleFile


class WalkReport(Struct, frozen=True):
    """A walk with further notes, in Markdown."""

    walk: GateWalk
    notes: tuple[str, ...] = ()


def walk_report(
    rule: str, query: StreamQuery, rules: LocalRules, place: AgentEnvironment, ast_search: AstProcess
) -> WalkReport:
    """Walks the rule with this name, or in this file, through the gates."""
    if not rule:
        raise UsageError("the name of a rule is empty")
    path = Path(rule).absolute()
    if os.path.lexists(path) and not path.exists():
        return WalkReport(walk_no_file(rule_name_of(str(path)), str(path), "It is a link that leads nowhere."))
    if path.is_dir() and path.suffix:
        return WalkReport(walk_no_file(rule_name_of(str(path)), str(path), "It is a folder, and a rule is a file."))
    if path.is_file():
        return _walk_of_file(path, query, rules, place, ast_search)
    loaded_rules = [loaded_rule for loaded_rule in rules.loaded if loaded_rule.found.name == rule]
    if loaded_rules:
        rule_set = rules.rule_set(query.agent)
        subject = _first_in_effect(loaded_rules, rule_set)
        notes = tuple(
            _other(other, subject, rule_set, str(place.cwd)) for other in loaded_rules if other is not subject
        )
        return WalkReport(_walk(subject, query, rules, ast_search), notes)
    for unseen_rule in rules.unseen:
        if unseen_rule.rule.found.name == rule:
            return WalkReport(_walk_unseen(unseen_rule, rules, str(place.cwd)))
    for unreadable in rules.unreadable:
        if unreadable.found.name == rule:
            return WalkReport(walk_unreadable(rule, str(unreadable.found.path), unreadable.reason))
    for alike in similar_rule_files(rule, place):
        return WalkReport(walk_misplaced(rule, str(alike), str(place.cwd)))
    if path.is_dir():
        return WalkReport(walk_folder(rule, str(path)))
    known_names = [rule.found.name for rule in rules.loaded]
    return WalkReport(
        walk_missing(rule, known_names) if rule not in BUILTIN_RULES else _walk_builtin(rule, rules, place)
    )


def _walk_of_file(
    path: Path, query: StreamQuery, rules: LocalRules, place: AgentEnvironment, ast_search: AstProcess
) -> WalkReport:
    for rule in rules.loaded:
        if rule.found.path == path:
            return WalkReport(_walk(rule, query, rules, ast_search))
    for unseen_rule in rules.unseen:
        if unseen_rule.rule.found.path == path:
            return WalkReport(_walk_unseen(unseen_rule, rules, str(place.cwd)))
    for unreadable in rules.unreadable:
        if unreadable.found.path == path:
            return WalkReport(walk_unreadable(unreadable.found.name, str(path), unreadable.reason))
    return WalkReport(walk_misplaced(rule_name_of(str(path)), str(path), str(place.cwd)))


def _walk(rule: LoadedRule, query: StreamQuery, rules: LocalRules, ast_search: AstProcess) -> GateWalk:
    return rule.by_dialect(
        omp=lambda *_: _walk_omp(rule, query, rules, ast_search),
        omp_legacy=lambda *_: _walk_legacy(rule, query, rules),
        pi=lambda file, _: _walk_pi(rule, file, query, rules),
    )


def _walk_pi(rule: LoadedRule, file: PiRuleFile, query: StreamQuery, rules: LocalRules) -> GateWalk:
    other_rules = tuple(rule.rule for rule in rules.of(PI) if rule.rule is not None)
    return walk_pi(PiSubject(file, rule.registration, _source(rule), other_rules, query.folder), query)


def _walk_legacy(legacy: LoadedRule, query: StreamQuery, rules: LocalRules) -> GateWalk:
    same = (rule for rule in rules.of(OMP_LEGACY) if rule.found.name == legacy.found.name and rule.rule is not None)
    first = next(same, legacy)
    shadowed_by = None if first is legacy or legacy.rule is None else str(first.found.path)
    subject = LegacySubject(legacy.file, legacy.registration, _source(legacy), shadowed_by, query.folder)
    return walk_legacy(subject, query, rules.settings)


def _first_in_effect(rules: list[LoadedRule], rule_set: RuleSet) -> LoadedRule:
    """Of several rules with one name: the one that is matched, else the one that is not shadowed, else the first.

    Rules of oh-my-pi come before those of other dialects.
    """
    matched = {rule.path for rule in rule_set.rules}
    hidden = {
        refusal.path
        for refusal in rule_set.refusals
        if refusal.reason in (RefusalReason.SHADOWED, RefusalReason.NOT_ENABLED, RefusalReason.DISABLED_EXTENSION)
    }

    def rank(rule: LoadedRule) -> tuple[bool, bool, bool]:
        path = str(rule.found.path)
        return rule.profile is not OMP, path not in matched, path in hidden

    return min(rules, key=rank)


def _walk_omp(rule: LoadedRule, query: StreamQuery, rules: LocalRules, ast_search: AstProcess) -> GateWalk:
    rule_set = rules.rule_set(query.agent)
    refusal = next((refusal for refusal in rule_set.refusals if refusal.path == rule.file.path), None)
    subject = OmpSubject(rule.file, rule.registration, _source(rule), refusal, rules.layers, query.folder)
    return walk_gates(subject, query, rules.settings, ast_search, ast_search)


def _source(rule: LoadedRule) -> str:
    provider = find_provider(rule.found.provider)
    if provider is None:
        return "in a folder that was named"
    return f"{inline_code(provider.id)}, of the {rule.found.level}"


def _walk_builtin(rule: str, rules: LocalRules, place: AgentEnvironment) -> GateWalk:
    return walk_builtin(rule, rules.settings, rules.layers, rules.disabled_providers, str(place.cwd))


def _walk_unseen(rule: UnseenRule, rules: LocalRules, folder: str) -> GateWalk:
    found = rule.rule.found
    provider = find_provider(found.provider)
    assert provider is not None, "folders that the user named are always read"
    ignored = found.ignored_by
    line = None if ignored is None else IgnoringLine(str(ignored.path), ignored.line, ignored.pattern)
    return walk_of_unseen_file(
        MissedFile(found.name, str(found.path), provider, rule.reason, line, folder), rules.layers
    )


def _other(rule: LoadedRule, subject: LoadedRule, rule_set: RuleSet, folder: str) -> str:
    path = inline_code(shown_path(str(rule.found.path), folder))
    profile = rule.profile
    if profile is not subject.profile or profile.registrations is RegistrationPolicy.ALL:
        return f"A rule of {profile.id} has the same name: {path}. Ask about it by its path."
    refusal = next((refusal for refusal in rule_set.refusals if refusal.path == rule.file.path), None)
    reason = "" if refusal is None else f": {refusal.reason}"
    return f"{path} has the same name and is not used{reason}."
