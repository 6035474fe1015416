"""Determines the status of each rule that was found, and the reason."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.ide.explain.pi import obstacle_text, trigger_summary
from ttsr_ls.ide.shown_path import shown_path
from ttsr_ls.rules.condition_limits import indexes_beyond_limits
from ttsr_ls.rules.dialects.dialect_profile import OMP, OMP_LEGACY
from ttsr_ls.rules.providers import UnseenReason
from ttsr_ls.rules.registration import Bucket
from ttsr_ls.rules.rule_set import Refusal, RefusalReason, RuleSet
from ttsr_ls.rules.settings import keys
from ttsr_ls.rules.settings.keys import SettingKey
from ttsr_ls.rules.stream import Source
from ttsr_ls.store.discovery.local_rules import LoadedRule, LocalRules, UnseenRule
from ttsr_ls.syntax.pi.rule_file import PiRuleFile
from ttsr_ls.syntax.rule_file import ScopeToken
from ttsr_ls.text import LineIndex

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
    """The file is in a place of the agent's, and it does not see it."""

    @property
    def has_effect(self) -> bool:
        """True if the rule does anything."""
        return self in (RuleStatus.TTSR, RuleStatus.ALWAYS, RuleStatus.RULEBOOK)


class ListedRule(Struct, frozen=True):
    """A rule with its status and the reason. `shadowed_by` is the path of the file that takes its name, else None."""

    rule: LoadedRule
    standing: RuleStatus
    why: str
    shadowed_by: str | None = None


def list_rules(here: LocalRules, folder: str) -> tuple[ListedRule, ...]:
    """Returns all rules that were found, for all agents, in order of discovery. Paths are relative to `folder`."""
    registrations = (replace(rule.registration, agents=()) for rule in here.of(OMP))
    rule_set = RuleSet.build(registrations, here.settings)
    refusals = {refusal.path: refusal for refusal in rule_set.refusals}

    def of(rule: LoadedRule) -> ListedRule:
        return rule.by_dialect(
            omp=lambda file, _: _loaded(rule, refusals.get(file.path), here, folder),
            omp_legacy=lambda *_: _legacy(rule, here),
            pi=lambda file, _: _pi(rule, file),
        )

    own = here.of(OMP)
    return (
        *map(of, own),
        *(ListedRule(unseen.rule, RuleStatus.UNSEEN, _unseen(unseen, here, folder)) for unseen in here.unseen),
        *map(of, here.loaded[len(own) :]),
    )


def _loaded(rule: LoadedRule, refusal: Refusal | None, here: LocalRules, folder: str) -> ListedRule:
    listed = _standing(rule, refusal, here, folder)
    if rule.file.frontmatter is not None and rule.file.frontmatter.recovered:
        return replace(
            listed, why=f"{listed.why}; its frontmatter is no valid YAML, so that only single lines were read"
        )
    return listed


def _standing(rule: LoadedRule, refusal: Refusal | None, here: LocalRules, folder: str) -> ListedRule:
    if refusal is None:
        return ListedRule(rule, RuleStatus.TTSR, _trigger(rule))
    standing = RuleStatus(refusal.bucket)
    match refusal.reason:
        case RefusalReason.SHADOWED if refusal.shadowed_by is not None:
            why = f"shadowed by {shown_path(refusal.shadowed_by, folder)}"
        case RefusalReason.NO_TRIGGER:
            why = _landing(_no_trigger(rule), refusal.bucket)
        case reason if (key := _SETTINGS.get(reason)) is not None:
            why = _landing(f"{reason} ({_place(here, key, folder)})", refusal.bucket)
        case reason:
            why = str(reason)
    return ListedRule(rule, standing, why, refusal.shadowed_by)


def _legacy(rule: LoadedRule, here: LocalRules) -> ListedRule:
    if rule.rule is None:
        messages = [problem.message for problem in rule.registration.problems]
        return ListedRule(rule, RuleStatus.DROPPED, messages[0] if messages else "it has no `ttsr_trigger`")
    first = next(each for each in here.of(OMP_LEGACY) if each.found.name == rule.found.name and each.rule is not None)
    if first is not rule:
        path = str(first.found.path)
        return ListedRule(rule, RuleStatus.DROPPED, f"shadowed by {path}", path)
    return ListedRule(rule, RuleStatus.TTSR, f"fires on /{rule.rule.condition_texts[0]}/ in text, tool, as one text")


def _pi(rule: LoadedRule, read: PiRuleFile) -> ListedRule:
    obstacle = obstacle_text(rule.registration)
    if obstacle is not None:
        return ListedRule(rule, RuleStatus.DROPPED, obstacle)
    return ListedRule(rule, RuleStatus.TTSR, trigger_summary(read))


def _unseen(unseen: UnseenRule, here: LocalRules, folder: str) -> str:
    ignored = unseen.rule.found.ignored_by
    match unseen.reason:
        case UnseenReason.IGNORED if ignored is not None:
            path = shown_path(str(ignored.path), folder)
            return f"{unseen.reason} ({path}, line {ignored.line}: {ignored.pattern})"
        case UnseenReason.PROVIDER_OFF:
            return f"{unseen.reason} ({_place(here, keys.DISABLED_PROVIDERS, folder)})"
        case reason:
            return str(reason)


def _place(here: LocalRules, key: SettingKey, folder: str) -> str:
    """The file and the line of a setting that is set."""
    placed = here.layers.effective(key)
    if placed is None:
        return "by default"
    file = placed.layer.file
    line = LineIndex(file.text).position(placed.value.span.start).line + 1
    return f"{shown_path(file.path, folder)}, line {line}"


def _no_trigger(rule: LoadedRule) -> str:
    """Returns why a rule has no trigger."""
    fields = rule.file.fields
    codes = {problem.code for problem in (*rule.file.problems, *rule.registration.problems)}
    if rule.file.frontmatter is None:
        is_there = "frontmatter-not-recognised" in codes
        return "oh-my-pi does not see its frontmatter" if is_there else "it has no frontmatter, and so no condition"
    if "unreachable-scope" in codes:
        return "no part of its scope names a stream"
    if fields.conditions or fields.ast_conditions or fields.question is not None:
        return "none of its conditions compiles"
    return "it has no condition, AST condition or question"


def _landing(reason: str, bucket: Bucket) -> str:
    match bucket:
        case Bucket.ALWAYS:
            return f"part of every prompt (alwaysApply); does not fire: {reason}"
        case Bucket.RULEBOOK:
            return f"listed in the prompt with its description; does not fire: {reason}"
        case _:
            return reason


def _trigger(rule: LoadedRule) -> str:
    fields = rule.file.fields
    usable = () if rule.registration.rule is None else rule.registration.rule.conditions
    parts = [f"/{condition.source}/" for condition in usable]
    parts += [f"ast {text.value}" for text in fields.ast_conditions]
    if fields.question is not None:
        parts.append(f"question: {fields.question.value}")
    scope = ", ".join(_token(token) for token in fields.scope if token.stream is not None) or "text, tool (default)"
    globs = f" on {', '.join(text.value for text in fields.globs)}" if fields.globs else ""
    agents = f" of the agents {', '.join(text.value for text in fields.agents)}" if fields.agents else ""
    lost = sum(problem.code == "regex-does-not-compile" for problem in rule.registration.problems)
    more = f"; {lost} of its conditions {'does' if lost == 1 else 'do'} not compile" if lost else ""
    too_many = len(indexes_beyond_limits([text.value for text in fields.conditions]))
    more += f"; {too_many:,} of its conditions are too large to match within the limits of a file" if too_many else ""
    rule_scope = None if rule.registration.rule is None else rule.registration.rule.scope
    if fields.globs and rule_scope is not None and not rule_scope.admits_source(Source.TOOL):
        return (
            f"never fires: its globs require a file path, but its scope is only {scope}, which has none{agents}{more}"
        )
    return f"fires on {' or '.join(parts)} in {scope}{globs}{agents}{more}"


def _token(token: ScopeToken) -> str:
    """Returns a scope token in words, so that a bare word is recognised as the name of a tool."""
    if token.tool is None and token.glob is None:
        return str(token.stream)
    name = "tool" if token.tool is None else f"tool:{token.tool}"
    return name if token.glob is None else f"{name}({token.glob.value})"
