"""Reports the changes of `install` and `uninstall` to a file: a summary of the hooks, or the diff."""

from __future__ import annotations

import re
from difflib import unified_diff
from pathlib import Path

from ttsr_ls.bridge.agent_hooks.installation import hook_events
from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.printing.output import write_line
from ttsr_ls.cli.printing.terminal import Palette, TextStyle, one_line

_TOKEN = re.compile(r"(http://127\.0\.0\.1:\d+/|Bearer )[\w-]{16,}")


def show_diff(path: Path, before: str | None, after: str | None, palette: Palette) -> None:
    """Prints the diff of a file. Masks the token of the hook server, which is a secret."""
    old, new = (before or "").splitlines(), (after or "").splitlines()
    styles = {"+": TextStyle.GOOD, "-": TextStyle.ERROR, "@": TextStyle.FAINT}
    for line in unified_diff(old, new, str(path), str(path), lineterm="", n=1):
        display = one_line(_TOKEN.sub(r"\1<token>", line))
        write_line(palette.paint(display, styles[line[0]]) if line[:1] in styles else display)


def hooks_summary(text: str | None) -> str:
    """The number and the events of the hooks of ttsr-ls in settings, as in `2 hooks (SessionStart, Stop)`."""
    events = hook_events(text)
    return f"{count(len(events), 'hook')} ({', '.join(dict.fromkeys(events))})"
