"""The lines that a patch in git's format adds to each file."""

from __future__ import annotations

import re

_FILE = "diff --git "
_TARGET = "+++ "
_HUNK = re.compile(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")


def added_text_by_file(patch: str) -> list[tuple[str, str]]:
    """Returns the path and the added text of each file of a patch, in order; the path is blank if no line names it."""
    files: list[tuple[str, list[str]]] = []
    path, old, new = "", 0, 0
    for line in patch.split("\n"):
        if old > 0 or new > 0:  # In a hunk, a line that begins with `+++ ` is an added line.
            kind = line[:1]
            old -= kind in ("-", " ", "")
            new -= kind in ("+", " ", "")
            if kind == "+" and files:
                files[-1][1].append(line[1:])
        elif line.startswith(_FILE):
            files.append(("", []))
        elif line.startswith(_TARGET):
            path = line.removeprefix(_TARGET).partition("\t")[0].strip().strip('"')
            if not files or files[-1][0]:
                files.append((path, []))
            else:
                files[-1] = (path, files[-1][1])
        elif (hunk := _HUNK.match(line)) is not None:
            old, new = (1 if count is None else int(count) for count in hunk.groups())
    return [(path, "\n".join(file)) for path, file in files]
