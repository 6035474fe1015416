"""Files of rules that are told which their program does not read, for their name or their folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import PurePath

from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.locations.placement import ACCOMPANYING
from ttsr_ls.syntax.dialects.table import CLAUDE, CURSOR, GITHUB, WINDSURF, Dialect
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span

_CODE = "not-discovered"
_INSTRUCTIONS = ".instructions.md"
_MISNAMED = re.compile(r"(?:[._-]?instructions?)?\.mdc?\Z", re.IGNORECASE)
# Where each program looks, the last folder of which is easily left out or misspelt, and the suffix that it reads.
_HOMES = {
    GITHUB.id: (".github", "instructions", _INSTRUCTIONS),
    CURSOR.id: (".cursor", "rules", ".mdc"),
    WINDSURF.id: (".windsurf", "rules", ".md"),
    CLAUDE.id: (".claude", "rules", ".md"),
}


def check_guidance_place(file: RuleFile, dialect: Dialect, location: str) -> Iterator[Finding]:
    """Reports a file in a folder of its program from which that does not read it."""
    pure = PurePath(location)
    home = _HOMES.get(dialect.id)
    if home is None or pure.stem.lower() in ACCOMPANYING or any(place.holds(pure) for place in dialect.places):
        return
    root, folder, suffix = home
    folders = pure.parts[:-1]
    shown = f"{root}/{folder}"
    if (root, folder) in pairwise(folders):
        name = _MISNAMED.sub("", pure.name) + suffix
        yield _finding(file, f"{dialect.program} reads only `*{suffix}` files in `{shown}`. Call it `{name}`.")
    elif root in folders[-2:] and (suffix != ".md" or folders[-1] == root or folders[-1].rstrip("s") == "rule"):
        yield _finding(file, f"{dialect.program} reads rules only from `{shown}`. Move the file there.")


def _finding(file: RuleFile, why: str) -> Finding:
    first_line = Span(0, len(file.text.split("\n", 1)[0].rstrip("\r")))
    return Finding(_CODE, entry_of(_CODE).severity, f"This file is never read. {why}", first_line)
