"""Selects the rules that `test` tries: those that apply to the agent here, or one that the user names."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping

from msgspec import Struct

from ttsr_ls.cli.loading_notes import print_notes, print_untried
from ttsr_ls.cli.named_folders import named_folders, named_rule_file
from ttsr_ls.rules.dialects.dialect_profile import OMP
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import admits_agent
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect
from ttsr_ls.store.agent_environment import AgentEnvironment
from ttsr_ls.store.discovery.local_rules import LoadedRule, load_rule, rules_at
from ttsr_ls.syntax.dialects.detection import dialect_of
from ttsr_ls.syntax.dialects.table import HOOKIFY, DialectId
from ttsr_ls.syntax.rule_file import RuleFile

_PROVIDER = "ttsr-cli"


class TrialRefusal(Struct, frozen=True):
    """The reason why no rule can be tried."""

    reason: str
    has_unreadable: bool = False
    """Whether a rule file here cannot be read, so that its rule is not tried."""


class Candidates(Struct, frozen=True):
    """The rules to try, and the settings under which they are.

    `authored` are the conditions of each rule by the path of its file, invalid ones included.
    """

    rules: RulesByDialect
    settings: Settings
    authored: Mapping[str, tuple[str, ...]]
    files: Mapping[str, RuleFile] = {}
    """The files of rules of oh-my-pi, by their paths."""
    has_unreadable: bool = False
    """Whether a rule file here cannot be read, so that its rule is not tried."""


def applicable_rules(args: argparse.Namespace) -> Candidates | TrialRefusal:
    """All rules that apply to the agent and have something that can be tried on a text."""
    local_rules = rules_at(AgentEnvironment.current(), named_folders(args))
    print_notes(local_rules)
    rules = local_rules.session_rules(args.agent)
    in_force = {rule.path for rule in rules.omp.rules}
    for loaded_rule in local_rules.of(OMP):
        if str(loaded_rule.found.path) in in_force:
            print_untried(loaded_rule)
    rules = rules.only(_can_be_tried)
    has_unreadable = bool(local_rules.unreadable)
    if not rules.rules:
        return TrialRefusal("there are no rules here that apply to an agent's output", has_unreadable)
    loaded = local_rules.loaded
    return Candidates(rules, local_rules.settings, _authored(loaded), _files(loaded), has_unreadable)


def isolated_rules(args: argparse.Namespace) -> Candidates | TrialRefusal:
    """The rule of --rule. Settings, `enabled`, and other rules do not affect it."""
    dialect = None if args.dialect is None else DialectId(args.dialect)
    rule = load_rule(named_rule_file(args.rule, args).absolute(), _PROVIDER, dialect)
    name = rule.found.name
    agents = rule.registration.agents
    if not admits_agent(agents, args.agent):
        return TrialRefusal(
            f"the rule '{name}' is only for the agents {', '.join(agents)}, and not for '{args.agent}'; "
            "name one of them with --agent"
        )
    if rule.profile is OMP and dialect_of(rule.file.path, rule.file.frontmatter) is HOOKIFY:
        return TrialRefusal(
            f"'{name}' is a rule of hookify, which ttsr-ls checks but does not run; "
            "'ttsr-ls convert FILE --to omp' writes one that can be tried"
        )
    if rule.profile is OMP:
        print_untried(rule)
    if rule.rule is None or not _can_be_tried(rule.rule):
        return TrialRefusal(
            f"the rule '{name}' has nothing that could be tried; run 'ttsr-ls check' on it to see why, "
            "or give it a condition"
        )
    return Candidates(RulesByDialect.from_rules((rule.rule,)), Settings(), _authored((rule,)), _files((rule,)))


def _files(rules: Iterable[LoadedRule]) -> dict[str, RuleFile]:
    return {str(rule.found.path): rule.file for rule in rules if rule.profile is OMP}


def _authored(rules: Iterable[LoadedRule]) -> dict[str, tuple[str, ...]]:
    return {str(rule.found.path): _conditions(rule) for rule in rules}


def _conditions(rule: LoadedRule) -> tuple[str, ...]:
    registered = () if rule.rule is None else rule.rule.condition_texts
    return rule.by_dialect(
        omp=lambda file, _: tuple(text.value for text in file.fields.conditions),
        omp_legacy=lambda *_: registered,
        pi=lambda *_: registered,
    )


def _can_be_tried(rule: Rule) -> bool:
    """Returns whether a rule has more than a question, which only a judge can answer."""
    return bool(rule.conditions or rule.ast_conditions)
