"""A parsed pi-ttsr rule file (spec P2)."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.syntax.frontmatter.plain_reader import PlainFile, read_plain
from ttsr_ls.syntax.js_number import to_number
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.pi.keys import PI_SCOPES, PiScope


class PiRuleFile(Struct, frozen=True):
    """A rule as pi-ttsr reads it. A value of the wrong type has the number or text that JavaScript's comparisons
    convert it to.

    `max_firings` and `cooldown` may be fractions, negative, infinite or not a number. `trigger` is not trimmed.
    """

    file: PlainFile
    trigger: MappedText | None
    flags: str
    scope: PiScope
    max_firings: float
    cooldown: float
    """Seconds."""


def read_pi_rule(text: str, *, name: str, path: str) -> PiRuleFile:
    """Reads a rule file of pi-ttsr. Never raises on content."""
    file = read_plain(text, name=name, path=path)
    flags = file.text_value("flags")
    scope = file.text_value("scope")
    trigger = file.text_value("trigger")
    return PiRuleFile(
        file=file,
        trigger=trigger if trigger is not None and trigger.value else None,
        flags="" if flags is None else flags.value,
        scope=_scope(scope),
        max_firings=_number(file, "maxFirings", 1.0),
        cooldown=_number(file, "cooldown", 0.0),
    )


def _scope(text: MappedText | None) -> PiScope:
    # The comparison knows `chunk` and `accumulated`; everything else falls to its last branch, which is lines.
    return PiScope(text.value) if text is not None and text.value in PI_SCOPES else PiScope.LINE


def _number(file: PlainFile, key: str, default: float) -> float:
    value = file.value(key)
    return default if value is None else to_number(value)
