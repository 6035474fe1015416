"""The rules that are not active, or only partly, although no user disabled them; reported once when a session starts.

Rules that settings, the file itself or `agents` exclude are no problems, because a user wants that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from ttsr_ls.matching.ast.languages import GRAMMARS, NoLanguage
from ttsr_ls.matching.ast.reach import AnyLanguage, reachable_languages
from ttsr_ls.matching.ast.search import PatternShape, PatternShapes
from ttsr_ls.rules.dialects.dialect_profile import RegistrationPolicy
from ttsr_ls.rules.providers import BUILTIN
from ttsr_ls.rules.registration import Bucket, Registration
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.rule_set import Refusal, RefusalReason, RuleSet
from ttsr_ls.session.history.turn_events import RuleProblem


class UnreadableRule(Struct, frozen=True):
    """A rule file that was found and cannot be read. `reason` is a full sentence."""

    name: str
    path: str
    reason: str


_COMMON_LANGUAGES = ("typescript", "python", "bash")
"""Languages that are tried first: most patterns are code in one of them."""

_MAX_PATTERNS = 20

_POSSIBLE = (PatternShape.NODE, PatternShape.UNKNOWN)

_MAX_SHOWN = 120
"""The most of a condition or scope that is shown, in characters."""

_ADVICE = "`ttsr-ls check` says how to repair it."

_MISTAKES = frozenset((RefusalReason.EMPTY_BODY, RefusalReason.NO_TRIGGER))


def rule_problems(registrations: Iterable[Registration], built: RuleSet) -> Iterator[RuleProblem]:
    """Yields the problems of rules of oh-my-pi. `built` is the rule set of the registrations."""
    refusals = {(refusal.name, refusal.path): refusal for refusal in built.refusals}
    for registration in registrations:
        refusal = refusals.get((registration.name, registration.path))
        if refusal is None:
            if registration.misreading:
                yield _problem(registration, True, f"{registration.misreading} {_ADVICE}")
            for part in registration.ignored_parts:
                yield _problem(registration, True, f"It is in force without {_shown(part.text)}. {part.reason}")
        elif refusal.reason is RefusalReason.SHADOWED:
            if registration.provider != BUILTIN.id:
                yield _problem(registration, False, f"An earlier file has the same name: {refusal.shadowed_by}.")
        elif refusal.reason in _MISTAKES and not _is_other_kind(registration, refusal):
            yield _problem(registration, False, _inactive_reason(registration))


def _is_other_kind(registration: Registration, refusal: Refusal) -> bool:
    """Returns whether the agent uses the file in another way than as a rule that fires."""
    return refusal.bucket is not Bucket.DROPPED and not registration.ignored_parts


def _inactive_reason(registration: Registration) -> str:
    if not registration.has_body:
        return "The file has no body, so there is nothing to inject."
    parts = [f"{_shown(part.text)}: {part.reason}" for part in registration.ignored_parts]
    reason = " ".join(parts) if parts else "It has no condition, AST condition, or question."
    return f"{reason} {registration.misreading} {_ADVICE}" if registration.misreading else reason


def dialect_problems(registrations: Iterable[Registration | UnreadableRule]) -> Iterator[RuleProblem]:
    """Yields the problems of rules of the other dialects, and of unreadable files."""
    first: dict[str, str] = {}
    for registration in registrations:
        reason = _not_loaded_reason(registration, first)
        if reason is not None:
            yield RuleProblem(registration.name, registration.path, False, reason)


def _not_loaded_reason(registration: Registration | UnreadableRule, first: dict[str, str]) -> str | None:
    """Returns why a rule is not loaded; None if it is. `first` collects the path of the first rule of each name, for
    dialects in which that one wins."""
    if isinstance(registration, UnreadableRule):
        return registration.reason
    if registration.rule is None:
        reasons = [problem.message for problem in registration.problems]
        return " ".join(reasons) if reasons else "It has no trigger."
    if registration.profile.registrations is not RegistrationPolicy.FIRST_OF_NAME:
        return None
    path = first.setdefault(registration.name, registration.path)
    return None if path == registration.path else f"An earlier file has the same name: {path}."


def refused_rules(built: RuleSet) -> Iterator[RuleProblem]:
    """The problems of rules that a rule set refused, without their registrations."""
    for refusal in built.refusals:
        if refusal.reason in _MISTAKES and refusal.bucket is Bucket.DROPPED:
            yield RuleProblem(refusal.name, refusal.path, False, f"Refused: {refusal.reason}.")


def broken_ast_conditions(rules: Iterable[Rule], shapes: PatternShapes) -> Iterator[RuleProblem]:
    """Yields the AST conditions that are not valid code in any language of their rule; at most `_MAX_PATTERNS` for
    each rule.
    """
    for rule in rules:
        broken = [text for text in rule.ast_conditions[:_MAX_PATTERNS] if not _can_be_code(text, rule, shapes)]
        is_in_force = len(broken) < len(rule.conditions) + len(rule.ast_conditions) or rule.question is not None
        for text in broken:
            reason = f"The AST condition {_shown(text)} is not a single node of code, so it never matches."
            yield RuleProblem(rule.name, rule.path, is_in_force, reason)


def _can_be_code(pattern: str, rule: Rule, shapes: PatternShapes) -> bool:
    language_reach = reachable_languages(rule)
    if isinstance(language_reach, AnyLanguage):
        languages: Iterable[str] = (*_COMMON_LANGUAGES, *sorted(GRAMMARS.difference(_COMMON_LANGUAGES)))
    else:
        languages = sorted(GRAMMARS & language_reach)
        if not languages or NoLanguage.MISSING in language_reach:
            return True  # There is no grammar to parse it with.
    return any(shapes.shape(pattern, language) in _POSSIBLE for language in languages)


def _problem(registration: Registration, in_force: bool, reason: str) -> RuleProblem:
    return RuleProblem(registration.name, registration.path, in_force, reason)


def _shown(text: str) -> str:
    return f"`{text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN] + '…'}`"


def problem_line(problem: RuleProblem) -> str:
    """Returns a problem as one text for users."""
    label = "in part" if problem.in_force else "not"
    return f"The rule {problem.rule} is {label} in force ({problem.path}). {problem.reason}"
