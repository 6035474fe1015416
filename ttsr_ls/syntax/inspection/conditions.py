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

# What a regular expression has and a glob hardly ever: an address, any text, an optional character, a count, a range.
_LOOKS_LIKE_REGEX = re.compile(r"://|\.\*|[\w/>\]]\?|\{\d+(?:,\d*)?\}|\[[^\]]*\w-\w[^\]]*\w-\w")


class _Company(Struct, frozen=True):
    """The other parts of a rule with file globs: whether it has other conditions, and a scope of its own."""

    has_others: bool
    has_scope: bool


def inspect_conditions(file: InspectedFile) -> Iterator[Problem]:
    """Reports the effect of a glob shorthand on the rule."""
    company = _company(file.fields)
    is_reported = False
    for glob in file.fields.shorthand_globs:
        tokens = " and ".join(f"`tool:{tool}({glob.value})`" for tool in SHORTHAND_TOOLS)
        problem = _shorthand(file, glob, tokens, company)
        if problem.code == "file-glob" and "/" in glob.value:
            continue  # A glob with folders is written for paths.
        # Where nothing goes wrong, one remark shows how all of them are read.
        if problem.code != "file-glob" or not is_reported:
            yield problem
        is_reported = is_reported or problem.code == "file-glob"


def _shorthand(file: InspectedFile, glob: MappedText, tokens: str, company: _Company) -> Problem:
    looks_like_regex = "/" in glob.value and _LOOKS_LIKE_REGEX.search(glob.value)
    if not (company.has_others or company.has_scope or looks_like_regex):
        effect = f"The rule fires on every edit of such a file, by {tokens}"
        message = f"This is a file glob. {effect}. Write these tokens in `scope` to say so."
        return Problem("file-glob", message, glob.span)
    scope = f"its scope gets {tokens} too" if company.has_scope else f"its scope is {tokens}"
    effect = f"The rule matches any text (`.*`), and {scope}."
    if company.has_others:
        silenced = "" if company.has_scope else " So the other conditions are no longer matched on the agent's text."
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


def _company(fields: Fields) -> _Company:
    shorthand = {text.span for text in fields.shorthand_globs}
    return _Company(
        has_others=any(text.span not in shorthand for text in fields.conditions),
        has_scope=any(not token.inferred for token in fields.scope),
    )
