"""How a dialect's rules are injected: configurations of the one machine (seeds 000, 001 and 002).

When a rule counts as injected is its monitor's gate (`discipline`): omp's at the commit of its injection, those of the
older dialects at the match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.settings.settings import ContextMode, Settings
from ttsr_ls.session.history.retry import Role, retry_of
from ttsr_ls.session.lifecycle.templates import Telling, Templates, rendered

RESUME_AFTER = 0.05
"""Seconds between an abort and the request that is made again (spec I2)."""


class Injecting(Struct, frozen=True):
    """A message that tells of rules."""

    role: Role
    text: str
    rules: tuple[str, ...]


Telltale = Callable[[Iterable[tuple[Rule, Telling]], Templates], tuple[Injecting, ...]]


class Variant(Struct, frozen=True):
    """`context`: what becomes of an answer that is cut off; None: what the settings say. `tell` says why it was."""

    context: ContextMode | None
    after: float
    always_interrupts: bool
    tell: Telltale

    def context_mode(self, settings: Settings) -> ContextMode:
        """What becomes of an answer that is cut off."""
        return settings.context_mode if self.context is None else self.context


def _one_batch(told: Iterable[tuple[Rule, Telling]], templates: Templates) -> tuple[Injecting, ...]:
    """All rules in one message, as its user's (spec I2, L4)."""
    rules = tuple(telling for _, telling in told)
    if not rules:
        return ()
    return (Injecting(Role.USER, rendered(templates.interrupt, rules), tuple(rule.name for rule in rules)),)


def _one_each(told: Iterable[tuple[Rule, Telling]], templates: Templates) -> tuple[Injecting, ...]:
    """A system message for each rule, with the words of pi-ttsr (spec P7)."""
    retries = ((rule, retry_of(rule)) for rule, _ in told)
    return tuple(Injecting(retry.role, retry.content, (rule.name,)) for rule, retry in retries)


OMP = Variant(None, RESUME_AFTER, always_interrupts=False, tell=_one_batch)
"""Rules of omp (spec I)."""

OMP_LEGACY = Variant(None, RESUME_AFTER, always_interrupts=True, tell=_one_batch)
"""Rules of omp before `condition` (spec L)."""

PI = Variant(ContextMode.DISCARD, 0.0, always_interrupts=True, tell=_one_each)
"""Rules of pi-ttsr (spec P7): the partial answer is always dropped, and the request made again at once."""
