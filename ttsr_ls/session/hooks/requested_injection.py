"""What a feature wants injected."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.session.history.retry_message import Role
from ttsr_ls.session.history.turn import InjectionKind


class RequestedInjection(Struct, frozen=True):
    """A message that a feature wants injected, and the rules that count as injected by it."""

    purpose: InjectionKind
    role: Role
    text: str
    rules: tuple[str, ...] = ()
