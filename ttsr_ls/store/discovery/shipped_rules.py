"""Locates the rules that come with this program: in the package once installed, next to it in a checkout."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from ttsr_ls.errors import TtsrError


class NoShippedRulesError(TtsrError):
    """The shipped rules are missing. The message names their location."""


def shipped_rules() -> Path:
    """Returns the folder with the rules of this program. Raises NoShippedRulesError."""
    package = resources.files("ttsr_ls")
    if not isinstance(package, Path):
        raise NoShippedRulesError("the rules that come with ttsr-ls cannot be read from inside of an archive")
    for folder in (package / "shipped_rules", package.parent / "rules"):
        if folder.is_dir():
            return folder
    raise NoShippedRulesError(
        f"the rules that come with ttsr-ls are missing: there is no folder {package / 'shipped_rules'}"
    )
