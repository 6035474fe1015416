"""The messages that tell why an answer was cut off, in the format of each dialect."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from msgspec import Struct

from ttsr_ls.rules.dialects.profile import InjectionFormat
from ttsr_ls.rules.rule import Rule
from ttsr_ls.session.history.retry import Role, retry_of
from ttsr_ls.session.lifecycle.templates import Telling, Templates, rendered


class Injecting(Struct, frozen=True):
    """A message that tells of rules."""

    role: Role
    text: str
    rules: tuple[str, ...]


def interrupt_messages(rules: Iterable[tuple[Rule, Telling]], templates: Templates) -> tuple[Injecting, ...]:
    """The messages about rules; those of each dialect together, in the order of its first rule."""
    by_profile: dict[int, list[tuple[Rule, Telling]]] = {}
    for rule, telling in rules:
        by_profile.setdefault(id(rule.profile), []).append((rule, telling))
    return tuple(message for group in by_profile.values() for message in _of_one_dialect(group, templates))


def _of_one_dialect(group: list[tuple[Rule, Telling]], templates: Templates) -> tuple[Injecting, ...]:
    style = group[0][0].profile.injection_format
    match style:
        case InjectionFormat.ONE_MESSAGE:
            tellings = [telling for _, telling in group]
            names = tuple(telling.name for telling in tellings)
            return (Injecting(Role.USER, rendered(templates.interrupt, tellings), names),)
        case InjectionFormat.MESSAGE_EACH:
            retries = ((rule, retry_of(rule)) for rule, _ in group)
            return tuple(Injecting(retry.role, retry.content, (rule.name,)) for rule, retry in retries)
    assert_never(style)
