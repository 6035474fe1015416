"""Texts that editors display in a notification or as a title."""

from __future__ import annotations

from ttsr_ls.escaping import one_line


def message_text(text: str) -> str:
    """`text` on one line, without control characters and without links.

    VS Code makes a link of `[text](command:…)` in a notification. The text may have the name of a rule or of a file.
    """
    return one_line(text).replace("](", "] (")
