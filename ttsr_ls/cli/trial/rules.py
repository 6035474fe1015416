"""Which rules `test` tries: those that watch the agent here, or the one that a person names."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.cli.loading_notes import print_notes, print_untried
from ttsr_ls.cli.named_folders import named_folders
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import RuleSet, admits_agent
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.session.rules.session_rules import SessionRules
from ttsr_ls.store.discovery.rules_here import Loaded, LoadedLegacyRule, LoadedPiRule, LoadedRule, load_rule, rules_at
from ttsr_ls.store.place import Place
from ttsr_ls.syntax.dialects.detection import dialect_of
from ttsr_ls.syntax.dialects.table import HOOKIFY, DialectId
from ttsr_ls.syntax.rule_file import RuleFile

_PROVIDER = "ttsr-cli"


class Refused(Struct, frozen=True):
    """There is nothing to try, and why."""

    reason: str


class Candidates(Struct, frozen=True):
    """The rules to try, and the settings under which they are.

    `authored` are the conditions of each rule by the path of its file, invalid ones included.
    """

    rules: SessionRules
    settings: Settings
    authored: Mapping[str, tuple[str, ...]]
    files: Mapping[str, RuleFile] = {}
    """The files of rules of oh-my-pi, by their paths."""


def candidates_here(args: argparse.Namespace) -> Candidates | Refused:
    """All rules that watch the agent and have something that can be tried on a text."""
    here = rules_at(Place.here(), named_folders(args))
    print_notes(here)
    rules = here.session_rules(args.agent)
    in_force = {rule.path for rule in rules.omp.rules}
    for loaded in here.loaded:
        if str(loaded.found.path) in in_force:
            print_untried(loaded)
    rules = replace(rules, omp=RuleSet(tuple(rule for rule in rules.omp.rules if _can_be_tried(rule))))
    if not rules.rules:
        return Refused("there are no rules here that watch what an agent writes")
    return Candidates(rules, here.settings, _authored((*here.loaded, *here.legacy, *here.pi)), _files(here.loaded))


def isolated(args: argparse.Namespace) -> Candidates | Refused:
    """The one rule that is tried whatever settings, `enabled` and other rules say."""
    said = None if args.dialect is None else DialectId(args.dialect)
    loaded = load_rule(Path(args.rule).absolute(), _PROVIDER, said)
    name = loaded.found.name
    agents = loaded.registration.agents if isinstance(loaded, LoadedRule) else ()
    if not admits_agent(agents, args.agent):
        return Refused(
            f"the rule '{name}' is only for the agents {', '.join(agents)}, and not for '{args.agent}'; "
            "name one of them with --agent"
        )
    if isinstance(loaded, LoadedRule) and dialect_of(loaded.file.path, loaded.file.frontmatter) is HOOKIFY:
        return Refused(
            f"'{name}' is a rule of hookify, which is checked here and not run; 'ttsr-ls convert FILE --to omp' writes "
            "one that can be tried"
        )
    if isinstance(loaded, LoadedRule):
        print_untried(loaded)
    if loaded.rule is None or not _can_be_tried(loaded.rule):
        return Refused(
            f"the rule '{name}' has nothing that could be tried; run 'ttsr-ls check' on it to see why, "
            "or give it a condition"
        )
    return Candidates(_alone(loaded, loaded.rule), Settings(), _authored((loaded,)), _files((loaded,)))


def _alone(loaded: Loaded, rule: Rule) -> SessionRules:
    match loaded:
        case LoadedPiRule():
            registered = loaded.registration.rule
            return SessionRules(pi=() if registered is None else (registered,))
        case LoadedLegacyRule():
            return SessionRules(legacy=RuleSet((rule,)))
        case LoadedRule():
            return SessionRules(omp=RuleSet((rule,)))


def _files(rules: Iterable[Loaded]) -> dict[str, RuleFile]:
    return {str(each.found.path): each.file for each in rules if isinstance(each, LoadedRule)}


def _authored(rules: Iterable[Loaded]) -> dict[str, tuple[str, ...]]:
    return {str(each.found.path): _conditions(each) for each in rules}


def _conditions(loaded: Loaded) -> tuple[str, ...]:
    if isinstance(loaded, LoadedRule):
        return tuple(text.value for text in loaded.file.fields.conditions)
    return () if loaded.rule is None else loaded.rule.condition_texts


def _can_be_tried(rule: Rule) -> bool:
    """Whether a rule has more than a question, which only a judge can answer."""
    return bool(rule.conditions or rule.ast_conditions)
