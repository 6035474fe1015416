"""Problems of conditions that are taken as file globs (semantics.md C1)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.syntax.fields import SHORTHAND_TOOLS
from ttsr_ls.syntax.inspection.inspected import Inspected
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.problems import Problem

# What a regular expression has and a glob hardly ever: an address, any text, an optional character, a count, a range.
_LOOKS_LIKE_REGEX = re.compile(r"://|\.\*|[\w/>\]]\?|\{\d+(?:,\d*)?\}|\[[^\]]*\w-\w[^\]]*\w-\w")


def inspect_conditions(inspected: Inspected) -> Iterator[Problem]:
    """Tells what a glob shorthand does to the rule."""
    fields = inspected.fields
    others = [text for text in fields.conditions if text.span not in {glob.span for glob in fields.shorthand_globs}]
    written_scope = any(not token.inferred for token in fields.scope)
    for glob in fields.shorthand_globs:
        yield _shorthand(inspected, glob, bool(others), written_scope)


def _shorthand(inspected: Inspected, glob: MappedText, has_others: bool, has_scope: bool) -> Problem:
    tokens = " and ".join(f"`tool:{tool}({glob.value})`" for tool in SHORTHAND_TOOLS)
    scope = f"its scope gets {tokens} too" if has_scope else f"its scope is {tokens}"
    if has_others:
        effect = f"The rule's other conditions stay, and {scope}."
        if not has_scope:
            effect += " So they no longer watch what the agent says."
    else:
        effect = f"The rule matches any text (`.*`), and {scope}."
    message = f"This is taken as a file glob, not as a regular expression. {effect}"
    if "/" not in glob.value or not _LOOKS_LIKE_REGEX.search(glob.value):
        return Problem("glob-shorthand", f"{message} Where that is meant, `scope` says it more plainly.", glob.span)
    message += " It looks like a regular expression: write `\\/` for `/`, and it is read as one."
    written = inspected.written(glob.span)
    replacement = None if written.startswith('"') or "\n" in written else written.replace("/", "\\/")
    return Problem("glob-shorthand", message, glob.span, replacement)
