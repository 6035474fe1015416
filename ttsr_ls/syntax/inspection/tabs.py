"""Problems of tabs in the frontmatter, which the reference agent replaces before parsing (spec F5)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.syntax.inspection.inspected import InspectedFile
from ttsr_ls.syntax.keys import PATTERN_KEY
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.text import Span

_TABS = re.compile(r"\t+")


def inspect_tabs(file: InspectedFile) -> Iterator[Problem]:
    """Reports tabs within the values of known keys."""
    if file.frontmatter is None or "\t" not in file.source_text(file.frontmatter.content_span):
        return
    for key, value in file.scalars():
        if "\t" in value.text.value:
            # The tab was kept, because the line was read by itself, or quoted by the reader (spec F7).
            continue
        for match in _TABS.finditer(file.text, value.text.span.start, value.text.span.end):
            count = len(match[0])
            label = "This tab is read as two spaces" if count == 1 else "These tabs are read as two spaces each"
            if key.name == PATTERN_KEY:
                message = f"{label}, even in quotes, so the pattern matches spaces. Write `\\t` for a tab."
                yield Problem("tab-replaced", message, Span(*match.span()), "\\t" * count)
            else:
                yield Problem(
                    "tab-replaced", f"{label}, also in quotes. Write spaces.", Span(*match.span()), "  " * count
                )
