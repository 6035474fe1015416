"""Finds guidance rules that their program does not read because of the file's name or folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import PurePath

from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.locations.placement import ACCOMPANYING
from ttsr_ls.lint.reporting import report
from ttsr_ls.syntax.dialects.table import CLINE, DIALECTS, Dialect
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import first_line_span

_CODE = "not-discovered"
_CLINE_HOME = CLINE.locations[0].folders[0]
_OTHER_HOMES = frozenset(
    location.folders[0] for dialect in DIALECTS for location in dialect.locations if len(location.folders) == 2
)
_MISNAMED = re.compile(r"(?:[._-]?instructions?)?\.mdc?\Z", re.IGNORECASE)


def check_guidance_place(file: RuleFile, dialect: Dialect, location: str) -> Iterator[Finding]:
    """Reports a file in a folder of its program that the program does not read."""
    pure = PurePath(location)
    # In `.cursor/rules` and the like, the second folder is easily forgotten or misspelt.
    homes = [location for location in dialect.locations if len(location.folders) == 2]
    if pure.stem.lower() in ACCOMPANYING:
        return
    if dialect is CLINE and any(
        outer in _OTHER_HOMES and inner == _CLINE_HOME for outer, inner in pairwise(pure.parts)
    ):
        yield _finding(file, "Cline reads `.clinerules` only in the folder of the project. Move the folder there.")
    if dialect.reads(pure):
        return
    folders = pure.parts[:-1]
    for home in homes:
        root, suffix = home.folders[0], home.suffixes[0]
        if home.contains_folder(folders):
            name = _MISNAMED.sub("", pure.name) + suffix
            yield _finding(file, f"{dialect.program} reads only `*{suffix}` files in `{home.path}`. Call it `{name}`.")
        elif root in folders[-2:] and (suffix != ".md" or folders[-1] == root or folders[-1].rstrip("s") == "rule"):
            yield _finding(file, f"{dialect.program} reads rules only from `{home.path}`. Move the file there.")


def _finding(file: RuleFile, reason: str) -> Finding:
    return report(_CODE, f"This file is never read. {reason}", first_line_span(file.text))
