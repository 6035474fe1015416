"""Problems of what the reference changes before it reads: deleted comments and replaced tabs (semantics.md F3, F5)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.syntax.inspection.inspected import Inspected
from ttsr_ls.syntax.keys import PATTERN_KEY
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.text import Span

_TABS = re.compile(r"\t+")
_FENCE = re.compile(r"^ {0,3}(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*\n)*?(?: {0,3}(?P=fence)[`~]*[ \t]*$|\Z)", re.MULTILINE)


def inspect_comments(inspected: Inspected) -> Iterator[Problem]:
    """Reports comments that take a part of a value, or of an example in the body, with them.

    A comment on lines of its own says what it is meant to say: nothing to the agent.
    """
    if not inspected.normalised.comments or inspected.frontmatter is None:
        return
    content = inspected.frontmatter.content_span
    for comment in inspected.normalised.comments:
        if content.start <= comment.start < content.end:
            if _shares_a_line(inspected, comment):
                yield _in_value(inspected, comment)
        elif comment.start >= content.end and _in_fence(inspected, comment):
            message = (
                "This comment is deleted from the rule, in code blocks too, so the agent never sees this part of the "
                "example. Describe it, or write it so that it is not `<!-- … -->`."
            )
            yield Problem("comment-removed", message, comment)


def inspect_tabs(inspected: Inspected) -> Iterator[Problem]:
    """Reports tabs within the values of known keys."""
    if inspected.frontmatter is None or "\t" not in inspected.written(inspected.frontmatter.content_span):
        return
    for key, value in inspected.scalars():
        if "\t" in value.text.value:
            # It was kept: the line was read by itself, or is in quotes of the reader's own (F7).
            continue
        for found in _TABS.finditer(inspected.text, value.text.span.start, value.text.span.end):
            count = len(found[0])
            what = "This tab is read as two spaces" if count == 1 else "These tabs are read as two spaces each"
            if key.name == PATTERN_KEY:
                message = f"{what}, also in quotes, so the pattern waits for spaces. Write `\\t` for a tab."
                yield Problem("tab-replaced", message, Span(*found.span()), "\\t" * count)
            else:
                yield Problem(
                    "tab-replaced", f"{what}, also in quotes. Write spaces.", Span(*found.span()), "  " * count
                )


def _in_value(inspected: Inspected, comment: Span) -> Problem:
    message = "This comment is deleted before the frontmatter is read, in quotes too, and the value goes on without it."
    for key, value in inspected.scalars():
        if key.name == PATTERN_KEY and value.span.start < comment.start and comment.end <= value.span.end:
            written = inspected.written(comment)
            if "\n" in written or "\r" in written:
                break
            message += " Write `<!-[-]` to match the beginning of a comment."
            return Problem("comment-removed", message, comment, written.replace("<!--", "<!-[-]", 1))
    return Problem("comment-removed", message, comment)


def _shares_a_line(inspected: Inspected, comment: Span) -> bool:
    first, last = inspected.line_of(comment.start), inspected.line_of(comment.end)
    return first.start < comment.start or comment.end < last.end


def _in_fence(inspected: Inspected, comment: Span) -> bool:
    text = inspected.text.replace("\r", "\n")
    return any(found.start() < comment.start < found.end() for found in _FENCE.finditer(text))
