"""Which rule `why` is asked about, and the walk of it: a name may belong to several files, or to none."""

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
from ttsr_ls.ide.why.standing_gates import Subject
from ttsr_ls.ide.why.stream_gates import StreamQuery
from ttsr_ls.ide.why.why import walk
from ttsr_ls.ide.why.why_legacy import LegacySubject, walk_legacy
from ttsr_ls.ide.why.why_pi import PiSubject, walk_pi
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.lint.context import IgnoringLine
from ttsr_ls.rules.dialects.dialect_profile import OMP, OMP_LEGACY, PI
from ttsr_ls.rules.providers import BUILTIN_RULES, find_provider
from ttsr_ls.rules.rule_set import RefusalReason, RuleSet
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.local_rules import LoadedRule, LocalRules, UnseenRule
from ttsr_ls.store.discovery.look_alikes import look_alikes
from ttsr_ls.syntax.dialects.file_roles import rule_name_of


class WalkReport(Struct, frozen=True):
    """A walk, and what else there is to say, in Markdown."""

    walk: GateWalk
    notes: tuple[str, ...] = ()


def walk_report(
    rule: str, asked: StreamQuery, here: LocalRules, place: AgentEnvironment, ast_search: AstProcess
) -> WalkReport:
    """Walks the rule of that name, or in that file."""
    if not rule:
        raise UsageError("the name of a rule is empty")
    path = Path(rule).absolute()
    if os.path.lexists(path) and not path.exists():
        return WalkReport(walk_no_file(rule_name_of(str(path)), str(path), "It is a link that leads nowhere."))
    if path.is_dir() and path.suffix:
        return WalkReport(walk_no_file(rule_name_of(str(path)), str(path), "It is a folder, and a rule is a file."))
    if path.is_file():
        return _of_file(path, asked, here, place, ast_search)
    others = [pi for pi in here.of(PI) if pi.found.name == rule]
    named = [loaded for loaded in here.of(OMP) if loaded.found.name == rule]
    if named:
        rule_set = here.rule_set(asked.agent)
        subject = _standing_first(named, rule_set)
        notes = [_other(other, rule_set, str(place.cwd)) for other in named if other is not subject]
        notes += [_other_pi(pi, str(place.cwd)) for pi in others]
        return WalkReport(_walk(subject, rule_set, asked, here, ast_search), tuple(notes))
    if others:
        notes = [_other_pi(pi, str(place.cwd)) for pi in others[1:]]
        return WalkReport(_walk_pi(others[0], asked, here), tuple(notes))
    for legacy in here.of(OMP_LEGACY):
        if legacy.found.name == rule:
            return WalkReport(_walk_legacy(legacy, asked, here))
    for unseen in here.unseen:
        if unseen.rule.found.name == rule:
            return WalkReport(_walk_unseen(unseen, here, str(place.cwd)))
    for unreadable in here.unreadable:
        if unreadable.found.name == rule:
            return WalkReport(walk_unreadable(rule, str(unreadable.found.path), unreadable.reason))
    for alike in look_alikes(rule, place):
        return WalkReport(walk_misplaced(rule, str(alike), str(place.cwd)))
    known = [loaded.found.name for loaded in (*here.of(OMP), *here.of(PI))]
    return WalkReport(walk_missing(rule, known) if rule not in BUILTIN_RULES else _walk_builtin(rule, here, place))


def _of_file(
    path: Path, asked: StreamQuery, here: LocalRules, place: AgentEnvironment, ast_search: AstProcess
) -> WalkReport:
    for loaded in here.loaded:
        if loaded.found.path == path:
            if loaded.pi is not None:
                return WalkReport(_walk_pi(loaded, asked, here))
            if loaded.profile is OMP_LEGACY:
                return WalkReport(_walk_legacy(loaded, asked, here))
            return WalkReport(_walk(loaded, here.rule_set(asked.agent), asked, here, ast_search))
    for unseen in here.unseen:
        if unseen.rule.found.path == path:
            return WalkReport(_walk_unseen(unseen, here, str(place.cwd)))
    for unreadable in here.unreadable:
        if unreadable.found.path == path:
            return WalkReport(walk_unreadable(unreadable.found.name, str(path), unreadable.reason))
    return WalkReport(walk_misplaced(rule_name_of(str(path)), str(path), str(place.cwd)))


def _walk_pi(loaded: LoadedRule, asked: StreamQuery, here: LocalRules) -> GateWalk:
    assert loaded.pi is not None, "it is a rule of pi-ttsr"
    together = tuple(each.rule for each in here.of(PI) if each.rule is not None)
    return walk_pi(PiSubject(loaded.pi, loaded.registration, _source(loaded), together, asked.folder), asked)


def _walk_legacy(legacy: LoadedRule, asked: StreamQuery, here: LocalRules) -> GateWalk:
    same = (each for each in here.of(OMP_LEGACY) if each.found.name == legacy.found.name and each.rule is not None)
    first = next(same, legacy)
    shadowed_by = None if first is legacy or legacy.rule is None else str(first.found.path)
    subject = LegacySubject(legacy.file, legacy.registration, _source(legacy), shadowed_by, asked.folder)
    return walk_legacy(subject, asked, here.settings)


def _standing_first(named: list[LoadedRule], rule_set: RuleSet) -> LoadedRule:
    """Of several files of one name the one that watches streams, else the one that has the name, else the first."""
    watching = {rule.path for rule in rule_set.rules}
    hidden = {
        refusal.path
        for refusal in rule_set.refusals
        if refusal.reason in (RefusalReason.SHADOWED, RefusalReason.NOT_ENABLED, RefusalReason.DISABLED_EXTENSION)
    }
    ranked = sorted(named, key=lambda rule: (rule.file.path not in watching, rule.file.path in hidden))
    return ranked[0]


def _walk(
    loaded: LoadedRule, rule_set: RuleSet, asked: StreamQuery, here: LocalRules, ast_search: AstProcess
) -> GateWalk:
    refusal = next((refusal for refusal in rule_set.refusals if refusal.path == loaded.file.path), None)
    subject = Subject(loaded.file, loaded.registration, _source(loaded), refusal, here.layers, asked.folder)
    return walk(subject, asked, here.settings, ast_search, ast_search)


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


def _other(loaded: LoadedRule, rule_set: RuleSet, folder: str) -> str:
    refusal = next((refusal for refusal in rule_set.refusals if refusal.path == loaded.file.path), None)
    why = "" if refusal is None else f": {refusal.reason}"
    return f"{inline_code(shown_path(loaded.file.path, folder))} is called so too, and does not count{why}."


def _other_pi(pi: LoadedRule, folder: str) -> str:
    path = inline_code(shown_path(str(pi.found.path), folder))
    return f"A rule of pi-ttsr is called so too: {path}. Ask about it by its path."
