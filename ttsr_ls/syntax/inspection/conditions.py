"""Problems of conditions that are taken as file globs (semantics.md C1)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.syntax.fields import SHORTHAND_TOOLS
from ttsr_ls.syntax.inspection.inspected import Inspected
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.rule_file import Fields

# What a regular expression has and a glob hardly ever: an address, any text, an optional character, a count, a range.
_LOOKS_LIKE_REGEX = re.compile(r"://|\.\*|[\w/>\]]\?|\{\d+(?:,\d*)?\}|\[[^\]]*\w-\w[^\]]*\w-\w")


def inspect_conditions(inspected: Inspected) -> Iterator[Problem]:
    """Tells what a glob shorthand does to the rule."""
    effect = _effect(inspected.fields)
    for glob in inspected.fields.shorthand_globs:
        tokens = " and ".join(f"`tool:{tool}({glob.value})`" for tool in SHORTHAND_TOOLS)
        yield _shorthand(inspected, glob, effect.format(tokens=tokens))


def _effect(fields: Fields) -> str:
    """What becomes of the rule, in full sentences with a gap for the tokens that its scope gets."""
    shorthand = {text.span for text in fields.shorthand_globs}
    has_others = any(text.span not in shorthand for text in fields.conditions)
    has_scope = any(not token.inferred for token in fields.scope)
    scope = "its scope gets {tokens} too" if has_scope else "its scope is {tokens}"
    if not has_others:
        return f"The rule matches any text (`.*`), and {scope}."
    effect = f"The rule's other conditions stay, and {scope}."
    return effect if has_scope else f"{effect} So they no longer watch what the agent says."


def _shorthand(inspected: Inspected, glob: MappedText, effect: str) -> Problem:
    message = f"This is taken as a file glob, not as a regular expression. {effect}"
    if "/" not in glob.value or not _LOOKS_LIKE_REGEX.search(glob.value):
        return Problem("glob-shorthand", f"{message} Where that is meant, `scope` says it more plainly.", glob.span)
    message += " It looks like a regular expression: write `\\/` for `/`, and it is read as one."
    written = inspected.written(glob.span)
    replacement = None if written.startswith('"') or "\n" in written else written.replace("/", "\\/")
    return Problem("glob-shorthand", message, glob.span, replacement)
