"""Reads guidance rules: those of Cursor, Windsurf, Cline, GitHub Copilot and Claude Code."""

from __future__ import annotations

from ttsr_ls.convert.portable_rule import GuidanceSpec, PortableRule
from ttsr_ls.syntax.dialects.guidance_file import ActivationMode, read_guidance
from ttsr_ls.syntax.dialects.table import Dialect


def from_guidance(text: str, *, name: str, path: str, dialect: Dialect) -> PortableRule:
    """Reads a guidance rule."""
    file = read_guidance(text, name=name, path=path, dialect=dialect)
    losses = []
    excluded = file.file.text_value("excludeAgent")
    if excluded is not None and dialect.find_key("excludeAgent") is not None:
        losses.append("`excludeAgent` is left out: in the other dialect, the rule applies to every agent.")
    description = None if file.description is None else " ".join(file.description.value.split())
    # Globs without an effect are left out, because they could have one in the other dialect.
    globs = tuple(glob.value for glob in file.globs) if file.activation is ActivationMode.FOR_FILES else ()
    guidance_spec = GuidanceSpec(file.activation, globs)
    return PortableRule(name, description, True, guidance_spec, file.file.body.value, tuple(losses))
