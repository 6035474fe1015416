"""The settings that an editor sends. Missing and invalid settings keep their defaults."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from msgspec import Struct
from msgspec.structs import fields

from ttsr_ls.syntax.nearest_word import nearest_word

SECTION = "ttsr"
OF_PLUGINS = ("path", "trace")
"""Settings in the section that only the plugins use."""


class Notifications(StrEnum):
    """The condition under which a notification is shown."""

    TRIGGERS = "triggers"
    """When a rule fires in a running agent."""
    OFF = "off"


class Options(Struct, frozen=True, rename="camel"):
    """The settings of the language client in its section `ttsr`."""

    notifications: Notifications = Notifications.TRIGGERS
    lenses: bool = True
    """Whether lines above the conditions of a rule offer its tests and a playground."""
    match_counts: bool = True
    """Whether such a line shows the number of matches in the files of the workspace."""
    inlay_hints: bool = True
    """Whether rules have inlay hints: bucket, streams and files, and the flags of conditions."""


def read_options(sent: object) -> Options:
    """The options in a JSON value: the section itself, or an object with the key `ttsr`."""
    if isinstance(sent, dict) and isinstance(sent.get(SECTION), dict):
        sent = sent[SECTION]
    if not isinstance(sent, dict):
        return Options()
    try:
        notifications = Notifications(sent.get("notifications", Notifications.TRIGGERS))
    except ValueError:
        notifications = Notifications.TRIGGERS
    return Options(
        notifications,
        lenses=sent.get("lenses") is not False,
        match_counts=sent.get("matchCounts") is not False,
        inlay_hints=sent.get("inlayHints") is not False,
    )


def option_mistakes(sent: object) -> tuple[str, ...]:
    """Returns the mistakes in the settings that a client sent, in full sentences."""
    if isinstance(sent, dict) and isinstance(sent.get(SECTION), dict):
        sent = sent[SECTION]
    if not isinstance(sent, dict):
        return ()
    known = {field.encode_name: field.type for field in fields(Options)}
    mistakes = []
    for name, value in sent.items():
        if name not in known:
            if str(name).partition(".")[0] not in OF_PLUGINS:
                suggestion = nearest_word(str(name), known)
                hint = f"Did you mean `{SECTION}.{suggestion}`?" if suggestion else f"There are {_listed(known)}."
                mistakes.append(f"There is no setting `{SECTION}.{name}`. {hint}")
        elif value is not None and not _accepts(known[name], value):
            mistakes.append(f"The setting `{SECTION}.{name}` is `{value}`, and takes {_taken(known[name])}.")
    return tuple(mistakes)


def _accepts(kind: Any, value: object) -> bool:
    return isinstance(value, bool) if kind is bool else isinstance(value, str) and value in list(kind)


def _taken(kind: Any) -> str:
    return "`true` or `false`" if kind is bool else " or ".join(f"`{value}`" for value in kind)


def _listed(names: dict[str, Any]) -> str:
    return ", ".join(f"`{SECTION}.{name}`" for name in names)
