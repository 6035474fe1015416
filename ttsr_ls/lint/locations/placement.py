"""Decides whether the reference agent would find a rule file, by its path alone (spec D)."""

from __future__ import annotations

from collections.abc import Collection
from itertools import takewhile
from pathlib import PurePath

from msgspec import Struct

from ttsr_ls.rules.providers import CURSOR, GITHUB, PROVIDERS
from ttsr_ls.syntax.dialects.locations import COPILOT_FILE, LEGACY_FILES, PROJECT_STICKY, UNREAD_LOCATIONS, RuleLocation
from ttsr_ls.syntax.dialects.table import DIALECTS, OMP, Purpose


class MisplacedFile(Struct, frozen=True):
    """The reason why a file is not found, and the remedy, both in full sentences."""

    reason: str
    remedy: str


_READ = {
    location: provider
    for provider in PROVIDERS
    for location in (*provider.project, *provider.user)
    if location.has_many_files
}
"""The folders that the reference agent reads, each with its provider."""
_OF_OTHERS = {
    location: dialect.program
    for dialect in DIALECTS
    for location in dialect.locations
    if dialect.purpose is Purpose.GUIDES and location not in _READ
} | UNREAD_LOCATIONS
"""The folders that the reference agent does not read, each with the program that does."""
_OWN_FOLDERS = tuple(dict.fromkeys(location.folders[0] for location in OMP.locations))
_STORES = frozenset((
    "docs", "doc", "templates", "template", "examples", "example", "samples", "fixtures", "skills", "plugins",
    "references", "reference", "resources", "assets", "archive", "archived", "disabled", "drafts", "commands", "agents",
))  # fmt: skip
ACCOMPANYING = frozenset(("readme", "changelog", "license", "contributing"))
"""Names, without suffix, of files that describe a folder to readers."""


def is_in_template_folder(folders: tuple[str, ...], roots: Collection[str]) -> bool:
    """Returns whether a file is in a folder from which agents should not load rules: templates, references, examples.

    Only folders below the innermost one of `roots` count.
    """
    inside = list(takewhile(lambda folder: folder not in roots, reversed(folders)))
    return any(folder.lower() in _STORES for folder in inside)


def misplacement(path: str, *, fires: bool) -> MisplacedFile | None:
    """Returns why the file at a path would not be found; None if it would, or if it is not meant to.

    `fires` is true if the file has a trigger key: without one, a file outside the rule folders may be anything.
    """
    pure = PurePath(path)
    folders, name = pure.parts[:-1], pure.name
    if name in LEGACY_FILES:
        return MisplacedFile(
            f"oh-my-pi does not read `{name}`.", f"Put the rule into `{LEGACY_FILES[name].path}` or `.omp/rules`."
        )
    found = _innermost(folders)
    if found is not None:
        location, depth = found
        if depth and not _READ[location].is_deep:
            return MisplacedFile(
                f"Only files directly in `{location.path}` are read, but this file is in a subfolder.",
                f"Move it up into `{location.path}`.",
            )
        return _misnamed(name, location)
    return _beside(folders, name) if fires else _beside_guidance(folders, name)


def _innermost(folders: tuple[str, ...]) -> tuple[RuleLocation, int] | None:
    """Returns the rule folder that contains a file, and how many folders are between them."""
    for end in range(len(folders), 0, -1):
        for location in _READ:
            if folders[max(end - len(location.folders), 0) : end] == location.folders:
                return location, len(folders) - end
    return None


def _misnamed(name: str, location: RuleLocation) -> MisplacedFile | None:
    suffixes = location.suffixes
    if name.startswith("."):
        return MisplacedFile("Files whose name begins with a dot are not read.", f"Call it `{name.lstrip('.')}`.")
    if name.endswith(suffixes):
        return None
    display = " and ".join(f"`*{suffix}`" for suffix in suffixes)
    reason = f"In `{location.path}` only {display} files are read, and case counts; this one is called `{name}`."
    if name.lower() == COPILOT_FILE:
        return MisplacedFile(reason, f"Move it to `{location.folders[0]}/{COPILOT_FILE}`.")
    return MisplacedFile(reason, f"Call it `{PurePath(name).stem.removesuffix('.instructions')}{suffixes[0]}`.")


def _beside_guidance(folders: tuple[str, ...], name: str) -> MisplacedFile | None:
    """Returns why a guidance file with the right suffix is not read: it is beside the rule folder of its program."""
    for label, provider in (("rules", CURSOR), ("instructions", GITHUB)):
        location = provider.project[0]
        root = location.folders[0]
        if name.endswith(location.suffixes[0]) and root in folders[-2:] and not is_in_template_folder(folders, (root,)):
            return MisplacedFile(f"{provider.title} reads {label} only from `{location.path}`.", "Move the file there.")
    return None


def _beside(folders: tuple[str, ...], name: str) -> MisplacedFile | None:
    """Returns why a file with a trigger is not read in a folder that looks like a rule folder."""
    for location, program in _OF_OTHERS.items():
        if location.contains_folder(folders):
            return MisplacedFile(
                f"oh-my-pi does not read `{location.path}`, and {program} does not fire on conditions.",
                "Move the rule into `.omp/rules` or `.agents/rules`.",
            )
    if not folders or not any(folder in folders[-2:] for folder in _OWN_FOLDERS) or name in PROJECT_STICKY.names:
        return None
    if is_in_template_folder(folders, _OWN_FOLDERS):
        return None
    own = next(folder for folder in _OWN_FOLDERS if folder in folders[-2:])
    return MisplacedFile(
        f"Rules are read only from `{own}/rules`, but this file is beside it.", f"Move it into `{own}/rules`."
    )
