"""Determines the status of each rule that was found, and the reason."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.ide.explain.pi import obstacle_text, trigger_summary
from ttsr_ls.ide.shown_path import shown_path
from ttsr_ls.matching.ast.search import PatternShapes
from ttsr_ls.rules.condition_limits import indexes_beyond_limits
from ttsr_ls.rules.dialects.dialect_profile import OMP, OMP_LEGACY
from ttsr_ls.rules.providers import UnseenReason
from ttsr_ls.rules.registration import Bucket
from ttsr_ls.rules.rule_set import Refusal, RefusalReason, RuleSet
from ttsr_ls.rules.settings import keys
from ttsr_ls.rules.settings.keys import SettingKey
from ttsr_ls.rules.stream import Source
from ttsr_ls.store.discovery.local_rules import LoadedRule, LocalRules, UnseenRule
from ttsr_ls.syntax.dialects.table import DialectId
from ttsr_ls.syntax.frontmatter.plain_reader import PlainFile
from ttsr_ls.syntax.pi.rule_file import PiRuleFile
from ttsr_ls.syntax.rule_file import RuleFile, ScopeToken

if TYPE_CHECKING:
    from ttsr_ls.ide.condition_findings import ConditionFindings

_SETTINGS = {
    RefusalReason.DISABLED_EXTENSION: keys.DISABLED_EXTENSIONS,
    RefusalReason.DISABLED_BY_SETTING: keys.DISABLED_RULES,
    RefusalReason.TTSR_OFF: keys.ENABLED,
}


class RuleStatus(StrEnum):
    """The bucket of a rule: those of the reference, and two for rules that are in none of them."""

    TTSR = "ttsr"
    ALWAYS = "always"
    RULEBOOK = "rulebook"
    DROPPED = "dropped"
    DISABLED = "disabled"
    UNSEEN = "unseen"
    """The file is in a rule folder of the agent, which does not load it."""

    @property
    def has_effect(self) -> bool:
        """True if the rule does anything."""
        return self in (RuleStatus.TTSR, RuleStatus.ALWAYS, RuleStatus.RULEBOOK)


class ListedRule(Struct, frozen=True):
    """A rule with its status and the reason, `why`, as a phrase.

    `shadowed_by` is the path of the file that takes its name, else None. `refusal` is why a rule of oh-my-pi is not
    active, None for an active one and for other dialects. `never_fires`: it is active, and no output can trigger it.
    """

    rule: LoadedRule
    status: RuleStatus
    why: str
    shadowed_by: str | None = None
    refusal: RefusalReason | None = None
    never_fires: bool = False


def list_rules(rules: LocalRules, folder: str, patterns: PatternShapes | None = None) -> tuple[ListedRule, ...]:
    """Returns all rules that were found, for all agents, in order of discovery. Paths are relative to `folder`.

    With `patterns`, the conditions of active rules are checked for those that no text matches.
    """
    registrations = (replace(rule.registration, agents=()) for rule in rules.of(OMP))
    rule_set = RuleSet.build(registrations, rules.settings)
    refusals = {refusal.path: refusal for refusal in rule_set.refusals}

    def of(rule: LoadedRule) -> ListedRule:
        return rule.by_dialect(
            omp=lambda file, _: _omp(rule, refusals.get(file.path), rules, folder, patterns),
            omp_legacy=lambda *_: _legacy(rule, rules, patterns),
            pi=lambda file, _: _pi(rule, file, patterns),
        )

    omp_rules = rules.of(OMP)
    return (
        *map(of, omp_rules),
        *(ListedRule(rule.rule, RuleStatus.UNSEEN, _unseen(rule, rules, folder)) for rule in rules.unseen),
        *map(of, rules.loaded[len(omp_rules) :]),
    )


def _omp(
    rule: LoadedRule, refusal: Refusal | None, rules: LocalRules, folder: str, patterns: PatternShapes | None
) -> ListedRule:
    listed_rule = _active(rule, patterns) if refusal is None else _refused(rule, refusal, rules, folder)
    if rule.file.frontmatter is not None and rule.file.frontmatter.recovered:
        return replace(
            listed_rule,
            why=f"{listed_rule.why}; its frontmatter is not valid YAML, so that only single lines were read",
        )
    return listed_rule


def _active(rule: LoadedRule, patterns: PatternShapes | None) -> ListedRule:
    if _demands_missing_path(rule):
        reason = f"its globs require a file path, but its scope is only {_scope(rule)}, which has none"
        why = f"never fires: {reason}{_agents(rule)}{_details(rule)}"
        return ListedRule(rule, RuleStatus.TTSR, why, never_fires=True)
    findings = None if patterns is None else _findings(rule, patterns)
    if findings is not None and findings.none_can_match:
        why = f"never fires: {findings.explanation}{_agents(rule)}{_details(rule)}"
        return ListedRule(rule, RuleStatus.TTSR, why, never_fires=True)
    return ListedRule(rule, RuleStatus.TTSR, _trigger(rule, frozenset() if findings is None else findings.unmatchable))


def _findings(rule: LoadedRule, patterns: PatternShapes) -> ConditionFindings:
    # Imported lazily: the linter takes long to import, and neither `doctor` nor `list --json` asks for this here.
    from ttsr_ls.ide.condition_findings import condition_findings

    return condition_findings(rule.file, patterns)


def _refused(rule: LoadedRule, refusal: Refusal, rules: LocalRules, folder: str) -> ListedRule:
    status = RuleStatus(refusal.bucket)
    match refusal.reason:
        case RefusalReason.SHADOWED if refusal.shadowed_by is not None:
            cause = f"shadowed by {shown_path(refusal.shadowed_by, folder)}"
        case RefusalReason.NO_TRIGGER:
            cause = _in_bucket(_no_trigger(rule), refusal.bucket)
        case reason if (key := _SETTINGS.get(reason)) is not None:
            cause = _in_bucket(f"{reason} ({_place(rules, key, folder)})", refusal.bucket)
        case reason:
            cause = str(reason)
    return ListedRule(rule, status, cause, refusal.shadowed_by, refusal.reason)


def _single_pattern_never(rule: LoadedRule, file: RuleFile | PlainFile, dialect: DialectId) -> ListedRule | None:
    """The status of a rule of a dialect with one pattern, if no text matches the pattern; else None."""
    from ttsr_ls.ide.condition_findings import single_pattern_findings

    findings = single_pattern_findings(file.text, file.path, dialect)
    if not findings.none_can_match:
        return None
    return ListedRule(rule, RuleStatus.TTSR, f"never fires: {findings.explanation}", never_fires=True)


def _legacy(rule: LoadedRule, rules: LocalRules, patterns: PatternShapes | None) -> ListedRule:
    if rule.rule is None:
        messages = [problem.message for problem in rule.registration.problems]
        return ListedRule(rule, RuleStatus.DROPPED, messages[0] if messages else "it has no `ttsr_trigger`")
    first = next(
        loaded_rule
        for loaded_rule in rules.of(OMP_LEGACY)
        if loaded_rule.found.name == rule.found.name and loaded_rule.rule is not None
    )
    if first is not rule:
        path = str(first.found.path)
        return ListedRule(rule, RuleStatus.DROPPED, f"shadowed by {path}", path)
    never = None if patterns is None else _single_pattern_never(rule, rule.file, DialectId.OMP_LEGACY)
    fires = f"fires on /{rule.rule.condition_text(0)}/ in text, tool, as one text"
    return never or ListedRule(rule, RuleStatus.TTSR, fires)


def _pi(rule: LoadedRule, file: PiRuleFile, patterns: PatternShapes | None) -> ListedRule:
    obstacle = obstacle_text(rule.registration)
    if obstacle is not None:
        return ListedRule(rule, RuleStatus.DROPPED, obstacle)
    never = None if patterns is None else _single_pattern_never(rule, file.file, DialectId.PI_TTSR)
    return never or ListedRule(rule, RuleStatus.TTSR, trigger_summary(file))


def _unseen(rule: UnseenRule, rules: LocalRules, folder: str) -> str:
    ignored = rule.rule.found.ignored_by
    match rule.reason:
        case UnseenReason.IGNORED if ignored is not None:
            path = shown_path(str(ignored.path), folder)
            return f"{rule.reason} ({path}, line {ignored.line}: {ignored.pattern})"
        case UnseenReason.PROVIDER_OFF:
            return f"{rule.reason} ({_place(rules, keys.DISABLED_PROVIDERS, folder)})"
        case reason:
            return str(reason)


def _place(rules: LocalRules, key: SettingKey, folder: str) -> str:
    """The file and the line that set a setting."""
    setting = rules.layers.effective(key)
    if setting is None:
        return "by default"
    return f"{shown_path(setting.layer.file.path, folder)}, line {setting.line}"


def _no_trigger(rule: LoadedRule) -> str:
    """Returns why a rule has no trigger."""
    fields = rule.file.fields
    codes = {problem.code for problem in (*rule.file.problems, *rule.registration.problems)}
    if rule.file.frontmatter is None:
        if "frontmatter-not-recognised" in codes:
            return "oh-my-pi does not see its frontmatter"
        return "it has no frontmatter, and so no condition"
    if "unreachable-scope" in codes:
        return "no part of its scope names a stream"
    if fields.conditions or fields.ast_conditions or fields.question is not None:
        return "none of its conditions compiles"
    return "it has no condition, AST condition or question"


def _in_bucket(reason: str, bucket: Bucket) -> str:
    match bucket:
        case Bucket.ALWAYS:
            return f"part of every prompt (alwaysApply); does not fire: {reason}"
        case Bucket.RULEBOOK:
            return f"listed in the prompt with its description; does not fire: {reason}"
        case _:
            return reason


def _trigger(rule: LoadedRule, unmatchable: frozenset[str]) -> str:
    """Describes the conditions of a rule, without the `unmatchable` ones, and its scope."""
    fields = rule.file.fields
    usable = () if rule.registration.rule is None else rule.registration.rule.conditions
    parts = [f"/{condition.source}/" for condition in usable if condition.source not in unmatchable]
    parts += [f"ast {text.value}" for text in fields.ast_conditions if text.value not in unmatchable]
    if fields.question is not None:
        parts.append(f"question: {fields.question.value}")
    globs = f" on {', '.join(text.value for text in fields.globs)}" if fields.globs else ""
    never = len(unmatchable)
    details = f"; {never} of its conditions never {'matches' if never == 1 else 'match'}" if never else ""
    return f"fires on {' or '.join(parts)} in {_scope(rule)}{globs}{_agents(rule)}{details}{_details(rule)}"


def _scope(rule: LoadedRule) -> str:
    tokens = ", ".join(_token(token) for token in rule.file.fields.scope if token.stream is not None)
    return tokens or "text, tool (default)"


def _agents(rule: LoadedRule) -> str:
    agents = rule.file.fields.agents
    return f" of the agents {', '.join(text.value for text in agents)}" if agents else ""


def _details(rule: LoadedRule) -> str:
    """Says how many conditions cannot be used, after a semicolon."""
    lost_count = sum(problem.code == "regex-does-not-compile" for problem in rule.registration.problems)
    details = (
        f"; {lost_count} of its conditions {'does' if lost_count == 1 else 'do'} not compile" if lost_count else ""
    )
    too_many = len(indexes_beyond_limits([text.value for text in rule.file.fields.conditions]))
    return details + (
        f"; {too_many:,} of its conditions are too large to match within the limits of a file" if too_many else ""
    )


def _demands_missing_path(rule: LoadedRule) -> bool:
    """Returns whether a rule requires a file path, and no stream of its scope has one."""
    active = rule.registration.rule
    return active is not None and bool(active.globs) and not active.scope.admits_source(Source.TOOL)


def _token(token: ScopeToken) -> str:
    """Returns a scope token in words, so that a bare word is recognised as the name of a tool."""
    if token.tool is None and token.glob is None:
        return str(token.stream)
    name = "tool" if token.tool is None else f"tool:{token.tool}"
    return name if token.glob is None else f"{name}({token.glob.value})"
