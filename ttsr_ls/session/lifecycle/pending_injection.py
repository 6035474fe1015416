"""An injection before it is on record. The log has it as an `Injection`, the model as a message of its provider."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.turn import InjectionKind
from ttsr_ls.session.history.turn_events import FeatureRecorded


class PendingInjection(Struct, frozen=True):
    """A message of the host to the model that is not on record yet, and its rules.

    `feature_records` are on record with it; the host adds them, and ignores those in results of features.
    """

    purpose: InjectionKind
    role: Role
    text: str
    rules: tuple[str, ...] = ()
    feature_records: tuple[FeatureRecorded, ...] = ()
