"""The files of `scene/`."""

from __future__ import annotations

from importlib import resources

RULE = "money-is-decimal.md"
"""The rule that fires."""

ANSWERS = "answers.yaml"
"""What the scripted model answers."""

BROKEN_RULE = "no-port.md"
"""A rule that loads and never fires."""


def scene_text(name: str) -> str:
    """The text of a file of the scene."""
    return (resources.files("ttsr_ls.cli.demo") / "scene" / name).read_text(encoding="utf-8")
