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
    walk_misplaced,
    walk_missing,
    walk_no_file,
    walk_unreadable,
    walk_unseen,
)
from ttsr_ls.ide.why.standing_gates import RuleUnderQuestion
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
    rule: str, asked: StreamQuery, here: LocalRules, place: AgentEnvironment, ast_search: AstProcess
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
        return _of_file(path, asked, here, place, ast_search)
    named = [loaded for loaded in here.loaded if loaded.found.name == rule]
    if named:
        rule_set = here.rule_set(asked.agent)
        subject = _standing_first(named, rule_set)
        notes = tuple(_other(other, subject, rule_set, str(place.cwd)) for other in named if other is not subject)
        return WalkReport(_walk(subject, asked, here, ast_search), notes)
    for unseen in here.unseen:
        if unseen.rule.found.name == rule:
            return WalkReport(_walk_unseen(unseen, here, str(place.cwd)))
    for unreadable in here.unreadable:
        if unreadable.found.name == rule:
            return WalkReport(walk_unreadable(rule, str(unreadable.found.path), unreadable.reason))
    for alike in similar_rule_files(rule, place):
        return WalkReport(walk_misplaced(rule, str(alike), str(place.cwd)))
    known = [loaded.found.name for loaded in here.loaded]
    return WalkReport(walk_missing(rule, known) if rule not in BUILTIN_RULES else _walk_builtin(rule, here, place))


def _of_file(
    path: Path, asked: StreamQuery, here: LocalRules, place: AgentEnvironment, ast_search: AstProcess
) -> WalkReport:
    for loaded in here.loaded:
        if loaded.found.path == path:
            return WalkReport(_walk(loaded, asked, here, ast_search))
    for unseen in here.unseen:
        if unseen.rule.found.path == path:
            return WalkReport(_walk_unseen(unseen, here, str(place.cwd)))
    for unreadable in here.unreadable:
        if unreadable.found.path == path:
            return WalkReport(walk_unreadable(unreadable.found.name, str(path), unreadable.reason))
    return WalkReport(walk_misplaced(rule_name_of(str(path)), str(path), str(place.cwd)))


def _walk(loaded: LoadedRule, asked: StreamQuery, here: LocalRules, ast_search: AstProcess) -> GateWalk:
    return loaded.by_dialect(
        omp=lambda *_: _walk_omp(loaded, asked, here, ast_search),
        omp_legacy=lambda *_: _walk_legacy(loaded, asked, here),
        pi=lambda file, _: _walk_pi(loaded, file, asked, here),
    )


def _walk_pi(loaded: LoadedRule, file: PiRuleFile, asked: StreamQuery, here: LocalRules) -> GateWalk:
    together = tuple(each.rule for each in here.of(PI) if each.rule is not None)
    return walk_pi(PiSubject(file, loaded.registration, _source(loaded), together, asked.folder), asked)


def _walk_legacy(legacy: LoadedRule, asked: StreamQuery, here: LocalRules) -> GateWalk:
    same = (each for each in here.of(OMP_LEGACY) if each.found.name == legacy.found.name and each.rule is not None)
    first = next(same, legacy)
    shadowed_by = None if first is legacy or legacy.rule is None else str(first.found.path)
    subject = LegacySubject(legacy.file, legacy.registration, _source(legacy), shadowed_by, asked.folder)
    return walk_legacy(subject, asked, here.settings)


def _standing_first(named: list[LoadedRule], rule_set: RuleSet) -> LoadedRule:
    """Of several files of one name the one that watches streams, else the one that has the name, else the first.

    Rules of oh-my-pi come before those of other dialects.
    """
    watching = {rule.path for rule in rule_set.rules}
    hidden = {
        refusal.path
        for refusal in rule_set.refusals
        if refusal.reason in (RefusalReason.SHADOWED, RefusalReason.NOT_ENABLED, RefusalReason.DISABLED_EXTENSION)
    }

    def rank(loaded: LoadedRule) -> tuple[bool, bool, bool]:
        path = str(loaded.found.path)
        return loaded.profile is not OMP, path not in watching, path in hidden

    return min(named, key=rank)


def _walk_omp(loaded: LoadedRule, asked: StreamQuery, here: LocalRules, ast_search: AstProcess) -> GateWalk:
    rule_set = here.rule_set(asked.agent)
    refusal = next((refusal for refusal in rule_set.refusals if refusal.path == loaded.file.path), None)
    subject = RuleUnderQuestion(loaded.file, loaded.registration, _source(loaded), refusal, here.layers, asked.folder)
    return walk_gates(subject, asked, here.settings, ast_search, ast_search)


def _source(loaded: LoadedRule) -> str:
    provider = find_provider(loaded.found.provider)
    if provider is None:
        return "in a folder that was named"
    return f"{inline_code(provider.id)}, of the {loaded.found.level}"


def _walk_builtin(rule: str, here: LocalRules, place: AgentEnvironment) -> GateWalk:
    return walk_builtin(rule, here.settings, here.layers, here.disabled_providers, str(place.cwd))


def _walk_unseen(unseen: UnseenRule, here: LocalRules, folder: str) -> GateWalk:
    found = unseen.rule.found
    provider = find_provider(found.provider)
    assert provider is not None, "folders that a person named are always read"
    ignored = found.ignored_by
    line = None if ignored is None else IgnoringLine(str(ignored.path), ignored.line, ignored.pattern)
    return walk_unseen(MissedFile(found.name, str(found.path), provider, unseen.reason, line, folder), here.layers)


def _other(loaded: LoadedRule, subject: LoadedRule, rule_set: RuleSet, folder: str) -> str:
    path = inline_code(shown_path(str(loaded.found.path), folder))
    profile = loaded.profile
    if profile is not subject.profile or profile.registrations is RegistrationPolicy.ALL:
        return f"A rule of {profile.id} is called so too: {path}. Ask about it by its path."
    refusal = next((refusal for refusal in rule_set.refusals if refusal.path == loaded.file.path), None)
    why = "" if refusal is None else f": {refusal.reason}"
    return f"{path} is called so too, and does not count{why}."
