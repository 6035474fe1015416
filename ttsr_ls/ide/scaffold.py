"""Templates of new rule files, without findings, for users to edit. Pure."""

from __future__ import annotations

import re

from msgspec import Struct

from ttsr_ls.errors import UsageError
from ttsr_ls.rules.providers import BUILTIN_RULES
from ttsr_ls.syntax.dialects.locations import PI_RULES, PROJECT_RULES, RULE_SUFFIXES
from ttsr_ls.syntax.dialects.table import DialectId

_LONGEST_NAME = 80
_NAME = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")

PLACEHOLDER = "what the agent must not write"
"""The condition of a new rule."""

_OMP = """\
---
description: {title}.
# A JavaScript regular expression, in single quotes. Of several in a list, any one fires the rule.
condition: '{placeholder}'
# What is watched: text, thinking, and tools with or without a path.
scope: text, tool:edit(*.ts), tool:write(*.ts)
---

Say what is wrong with that, and what to do instead. The agent reads this only when the rule fires.
"""
_PI_TTSR = """\
---
# A JavaScript regular expression, in single quotes, tried on each line of what the agent says.
trigger: '{placeholder}'
scope: line
---

Say what is wrong with that, and what to do instead. The agent reads this only when the rule fires.
"""


class Scaffold(Struct, frozen=True):
    """The beginning of a rule in some dialect; `folder` is where its program finds rules in a project."""

    dialect: DialectId
    folder: str
    template: str


SCAFFOLDS = (
    Scaffold(DialectId.OMP, PROJECT_RULES.path, _OMP),
    Scaffold(DialectId.PI_TTSR, PI_RULES.path, _PI_TTSR),
)


def scaffold_for(dialect: str) -> Scaffold:
    """The scaffold of a dialect. Raises `UsageError` where there is none."""
    found = next((scaffold for scaffold in SCAFFOLDS if scaffold.dialect == dialect), None)
    if found is None:
        raise UsageError(f"there is no scaffold for rules of the dialect '{dialect}'")
    return found


def new_rule(name: str, scaffold: Scaffold) -> str:
    """The text of a new rule. Raises `UsageError` for a name that a rule should not have."""
    _check(name)
    words = re.sub(r"[._-]+", " ", name)
    return scaffold.template.format(title=f"{words[:1].upper()}{words[1:]}", placeholder=PLACEHOLDER)


def _check(name: str) -> None:
    if name.endswith(RULE_SUFFIXES):
        near = _near(name)
        raise UsageError(f"the name of a rule has no suffix{f': write {near!r}' if near else ''}")
    if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
        raise UsageError(
            f"{name[:_LONGEST_NAME]!r} is no good name for a rule: use up to {_LONGEST_NAME} small letters, digits, "
            f"and single hyphens between them, as in {_near(name) or 'no-console-log'!r}"
        )
    if name in BUILTIN_RULES:
        raise UsageError(f"oh-my-pi has a rule '{name}' built in, which this one would replace; use another name")


def _near(name: str) -> str | None:
    """A good name that is much like `name`; None where there is none that its author would know again."""
    while name.endswith(RULE_SUFFIXES):
        name = name[: name.rindex(".")]
    near = name if _NAME.fullmatch(name) else re.sub(r"[^a-z0-9]+", "-", name.lower())
    near = near[:_LONGEST_NAME].strip("-._")
    return near if name.isascii() and near and near not in BUILTIN_RULES else None
