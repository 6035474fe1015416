"""Reads guidance rules: those of Cursor, Windsurf, Cline, GitHub Copilot and Claude Code."""

from __future__ import annotations

from ttsr_ls.convert.portable_rule import GuidanceSpec, PortableRule
from ttsr_ls.syntax.dialects.guidance_file import ActivationMode, read_guidance
from ttsr_ls.syntax.dialects.table import Dialect


def from_guidance(text: str, *, name: str, path: str, dialect: Dialect) -> PortableRule:
    """Reads a guidance rule."""
    read = read_guidance(text, name=name, path=path, dialect=dialect)
    lost = []
    excluded = read.file.text_value("excludeAgent")
    if excluded is not None and dialect.find_key("excludeAgent") is not None:
        lost.append("`excludeAgent` is left out: in the other dialect, the rule is for every agent.")
    description = None if read.description is None else " ".join(read.description.value.split())
    # Elsewhere, globs that count for nothing here might count.
    globs = tuple(glob.value for glob in read.globs) if read.activation is ActivationMode.FOR_FILES else ()
    telling = GuidanceSpec(read.activation, globs)
    return PortableRule(name, description, True, telling, read.file.body.value, tuple(lost))
