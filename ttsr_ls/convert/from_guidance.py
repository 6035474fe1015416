"""Reads rules that are told: those of Cursor, Windsurf, Cline, GitHub Copilot and Claude Code."""

from __future__ import annotations

from ttsr_ls.convert.portable import PortableRule, Telling
from ttsr_ls.syntax.dialects.guidance_file import Told, read_guidance
from ttsr_ls.syntax.dialects.table import Dialect


def from_guidance(text: str, *, name: str, path: str, dialect: Dialect) -> PortableRule:
    """A rule that is told."""
    read = read_guidance(text, name=name, path=path, dialect=dialect)
    lost = []
    excluded = read.file.text_value("excludeAgent")
    if excluded is not None and dialect.find_key("excludeAgent") is not None:
        lost.append("`excludeAgent` is left out: the other dialect tells every agent.")
    description = None if read.description is None else " ".join(read.description.value.split())
    # Elsewhere, globs that count for nothing here might count.
    globs = tuple(glob.value for glob in read.globs) if read.told is Told.FOR_FILES else ()
    telling = Telling(read.told, globs)
    return PortableRule(name, description, True, telling, read.file.body.value, tuple(lost))
