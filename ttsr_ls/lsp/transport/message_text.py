"""Texts that editors display in a notification or as a title."""

from __future__ import annotations

from ttsr_ls.escaping import one_line


def message_text(text: str) -> str:
    """Makes `text` safe to display in a notification: one line, no control characters, no Markdown links.

    VS Code turns `[text](command:…)` into a link that runs a command. `text` may contain names that others chose.
    """
    return one_line(text).replace("](", "] (")
