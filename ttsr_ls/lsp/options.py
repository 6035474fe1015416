"""The settings that an editor sends, read leniently: what is missing or wrong keeps its default."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

SECTION = "ttsr"


class Notifications(StrEnum):
    """When a notification is shown."""

    TRIGGERS = "triggers"
    """When a rule fires in a run that is under way."""
    OFF = "off"


class Options(Struct, frozen=True):
    """The settings of section `ttsr`."""

    notifications: Notifications = Notifications.TRIGGERS
    lenses: bool = True
    """Whether lines above the conditions of a rule offer its tests and a playground."""


def read_options(sent: object) -> Options:
    """The options in a JSON value: the section itself, or an object that has it under `ttsr`."""
    if isinstance(sent, dict) and isinstance(sent.get(SECTION), dict):
        sent = sent[SECTION]
    if not isinstance(sent, dict):
        return Options()
    try:
        notifications = Notifications(sent.get("notifications", Notifications.TRIGGERS))
    except ValueError:
        notifications = Notifications.TRIGGERS
    return Options(notifications, lenses=sent.get("lenses") is not False)
