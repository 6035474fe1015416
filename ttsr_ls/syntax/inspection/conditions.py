"""Problems of conditions that are read as file globs (spec C1)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from ttsr_ls.syntax.fields import SHORTHAND_TOOLS
from ttsr_ls.syntax.inspection.inspected import InspectedFile
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.rule_file import Fields

# Rare in globs: `://`, `.*`, an optional character, a count, two ranges in brackets.
_LOOKS_LIKE_REGEX = re.compile(r"://|\.\*|[\w/>\]]\?|\{\d+(?:,\d*)?\}|\[[^\]]*\w-\w[^\]]*\w-\w")


class _OtherParts(Struct, frozen=True):
    """The other parts of a rule with file globs: whether it has other conditions, and a scope of its own."""

    has_conditions: bool
    has_scope: bool


def inspect_conditions(file: InspectedFile) -> Iterator[Problem]:
    """Reports the effect of a glob shorthand on the rule."""
    others = _other_parts(file.fields)
    is_reported = False
    for glob in file.fields.shorthand_globs:
        tokens = " and ".join(f"`tool:{tool}({glob.value})`" for tool in SHORTHAND_TOOLS)
        problem = _shorthand(file, glob, tokens, others)
        if problem.code == "file-glob" and "/" in glob.value:
            continue  # A glob with folders is written for paths.
        # If the globs have the intended effect, one remark about the first suffices.
        if problem.code != "file-glob" or not is_reported:
            yield problem
        is_reported = is_reported or problem.code == "file-glob"


def _shorthand(file: InspectedFile, glob: MappedText, tokens: str, others: _OtherParts) -> Problem:
    looks_like_regex = "/" in glob.value and _LOOKS_LIKE_REGEX.search(glob.value)
    if not (others.has_conditions or others.has_scope or looks_like_regex):
        effect = f"The rule fires on every edit of such a file, by {tokens}"
        message = f"This is a file glob. {effect}. Write these tokens in `scope` to say so."
        return Problem("file-glob", message, glob.span)
    scope = f"its scope gets {tokens} too" if others.has_scope else f"its scope is {tokens}"
    effect = f"The rule matches any text (`.*`), and {scope}."
    if others.has_conditions:
        silenced = "" if others.has_scope else " So the other conditions are no longer matched on the agent's text."
        effect = f"One of the rule's other conditions still has to match, and {scope}.{silenced}"
    message = f"This is read as a file glob, not as a regular expression. {effect}"
    if not looks_like_regex:
        return Problem(
            "glob-shorthand", f"{message} If that is intended, write it as `scope`, which is easier to read.", glob.span
        )
    message += " It looks like a regular expression: write `\\/` for `/`, and it is read as one."
    source = file.source_text(glob.span)
    replacement = None if source.startswith('"') or "\n" in source else source.replace("/", "\\/")
    return Problem("glob-shorthand", message, glob.span, replacement)


def _other_parts(fields: Fields) -> _OtherParts:
    shorthand = {text.span for text in fields.shorthand_globs}
    return _OtherParts(
        has_conditions=any(text.span not in shorthand for text in fields.conditions),
        has_scope=any(not token.inferred for token in fields.scope),
    )
