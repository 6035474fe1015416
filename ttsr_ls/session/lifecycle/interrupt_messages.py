"""The injections that explain why an answer was interrupted, in the format of each dialect."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from ttsr_ls.rules.dialects.dialect_profile import InjectionFormat
from ttsr_ls.rules.rule import Rule
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import InjectionKind
from ttsr_ls.session.lifecycle.pending_injection import PendingInjection
from ttsr_ls.session.lifecycle.templates import RuleText, Templates, pi_interrupt, render_template


def interrupt_messages(rules: Iterable[tuple[Rule, RuleText]], templates: Templates) -> tuple[PendingInjection, ...]:
    """Returns the injections about rules, grouped by dialect, in the order of each dialect's first rule."""
    by_profile: dict[int, list[tuple[Rule, RuleText]]] = {}
    for rule, rule_text in rules:
        by_profile.setdefault(id(rule.profile), []).append((rule, rule_text))
    return tuple(injection for group in by_profile.values() for injection in _dialect_injections(group, templates))


def _dialect_injections(group: list[tuple[Rule, RuleText]], templates: Templates) -> tuple[PendingInjection, ...]:
    style = group[0][0].profile.injection_format
    rule_texts = [rule_text for _, rule_text in group]
    match style:
        case InjectionFormat.ONE_MESSAGE:
            names = tuple(rule_text.name for rule_text in rule_texts)
            text = render_template(templates.interrupt, rule_texts)
            return (PendingInjection(InjectionKind.INTERRUPT, Role.USER, text, names),)
        case InjectionFormat.MESSAGE_EACH:
            return tuple(
                PendingInjection(InjectionKind.INTERRUPT, Role.SYSTEM, pi_interrupt(rule), (rule.name,))
                for rule, _ in group
            )
    assert_never(style)
