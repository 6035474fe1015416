"""The messages that tell why an answer was cut off, in the format of each dialect."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from msgspec import Struct

from ttsr_ls.rules.dialects.dialect_profile import InjectionFormat
from ttsr_ls.rules.rule import Rule
from ttsr_ls.session.history.retry_message import Role, retry_message
from ttsr_ls.session.lifecycle.templates import RuleText, Templates, rendered


class RenderedInjection(Struct, frozen=True):
    """A message that injects rules."""

    role: Role
    text: str
    rules: tuple[str, ...]


def interrupt_messages(rules: Iterable[tuple[Rule, RuleText]], templates: Templates) -> tuple[RenderedInjection, ...]:
    """The messages about rules; those of each dialect together, in the order of its first rule."""
    by_profile: dict[int, list[tuple[Rule, RuleText]]] = {}
    for rule, rule_text in rules:
        by_profile.setdefault(id(rule.profile), []).append((rule, rule_text))
    return tuple(message for group in by_profile.values() for message in _of_one_dialect(group, templates))


def _of_one_dialect(group: list[tuple[Rule, RuleText]], templates: Templates) -> tuple[RenderedInjection, ...]:
    style = group[0][0].profile.injection_format
    match style:
        case InjectionFormat.ONE_MESSAGE:
            rule_texts = [rule_text for _, rule_text in group]
            names = tuple(rule_text.name for rule_text in rule_texts)
            return (RenderedInjection(Role.USER, rendered(templates.interrupt, rule_texts), names),)
        case InjectionFormat.MESSAGE_EACH:
            retries = ((rule, retry_message(rule)) for rule, _ in group)
            return tuple(RenderedInjection(retry.role, retry.content, (rule.name,)) for rule, retry in retries)
    assert_never(style)
