"""Names of other rules in a rule file, written `rule://NAME`."""

from __future__ import annotations

import re

from msgspec import Struct

from ttsr_ls.text import Span

_LINK = re.compile(r"\brule://([A-Za-z0-9][\w.-]{0,79})")
_MAX_COUNT = 500


class RuleLink(Struct, frozen=True):
    """A link to the rule `name` at `span`."""

    name: str
    span: Span


def rule_links(text: str) -> tuple[RuleLink, ...]:
    """The rules that a text names, in its order."""
    links = []
    for match in _LINK.finditer(text):
        name = match[1].rstrip(".-")
        links.append(RuleLink(name, Span(match.start(), match.start(1) + len(name))))
        if len(links) == _MAX_COUNT:
            break
    return tuple(links)
