"""What a model is told by its host."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.session.history.retry import Role
from ttsr_ls.session.history.turn import InjectionKind


class Told(Struct, frozen=True):
    """What the model is to be told in a message of its own, and of which rules."""

    purpose: InjectionKind
    role: Role
    text: str
    rules: tuple[str, ...] = ()
