"""An injection before it is on record. The log has it as an `Injection`, the model as a message of its provider."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import InjectionKind
from ttsr_ls.session.history.turn_events import FeatureRecorded


class PendingInjection(Struct, frozen=True):
    """What the host is to say to the model in a message of its own, and of which rules.

    `feature_records` are on record with it; the host adds them, and ignores those in results of features.
    """

    purpose: InjectionKind
    role: Role
    text: str
    rules: tuple[str, ...] = ()
    feature_records: tuple[FeatureRecorded, ...] = ()
