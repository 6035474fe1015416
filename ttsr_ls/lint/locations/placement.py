"""Whether the reference agent would find a rule file where it is, judged by its path alone (spec D)."""

from __future__ import annotations

from collections.abc import Collection
from itertools import takewhile
from pathlib import PurePath

from msgspec import Struct

from ttsr_ls.rules.providers import AGENTS, CLINE, CURSOR, GITHUB, NATIVE, WINDSURF, Provider


class Misplaced(Struct, frozen=True):
    """Why a file is not found, and what to do about it, both in full sentences."""

    reason: str
    remedy: str


class _RuleFolder(Struct, frozen=True):
    """A folder with rules: the names of it and of those around it. `is_deep` tells that folders in it count too."""

    names: tuple[str, ...]
    provider: Provider
    is_deep: bool = False

    @property
    def shown(self) -> str:
        return "/".join(self.names)


_FOLDERS = (
    _RuleFolder((".omp", "rules"), NATIVE),
    _RuleFolder((".omp", "agent", "rules"), NATIVE),
    _RuleFolder((".agent", "rules"), AGENTS),
    _RuleFolder((".agents", "rules"), AGENTS),
    _RuleFolder((".cursor", "rules"), CURSOR),
    _RuleFolder((".windsurf", "rules"), WINDSURF),
    _RuleFolder((".clinerules",), CLINE),
    _RuleFolder((".github", "instructions"), GITHUB, is_deep=True),
)
_NEVER_READ = {(".claude", "rules"): "Claude Code", (".gemini", "rules"): "Gemini"}
_LEGACY_FILES = {".cursorrules": ".cursor/rules", ".windsurfrules": ".windsurf/rules"}
_OWN_FOLDERS = (".omp", ".agent", ".agents")
_STICKY = "RULES.md"
_STORES = frozenset((
    "docs", "doc", "templates", "template", "examples", "example", "samples", "fixtures", "skills", "plugins",
    "references", "reference", "resources", "assets", "archive", "archived", "disabled", "drafts", "commands", "agents",
))  # fmt: skip
ACCOMPANYING = frozenset(("readme", "changelog", "license", "contributing"))
"""Names, without suffix, of files that tell people about a folder."""


def is_in_store(folders: tuple[str, ...], roots: Collection[str]) -> bool:
    """Whether a file is in a folder of texts that no agent is to load from there: templates, references, examples.

    Only folders inside of the innermost one of `roots` count.
    """
    inside = list(takewhile(lambda folder: folder not in roots, reversed(folders)))
    return any(folder.lower() in _STORES for folder in inside)


def misplaced(path: str, *, fires: bool) -> Misplaced | None:
    """Why the file at a path would not be found; None where it would, or where nothing tells that it should.

    `fires` tells whether the file has a key by which only rules fire: without one, a file beside the rule folders may
    be anything.
    """
    pure = PurePath(path)
    folders, name = pure.parts[:-1], pure.name
    if name in _LEGACY_FILES:
        return Misplaced(
            f"oh-my-pi does not read `{name}`.", f"Put the rule into `{_LEGACY_FILES[name]}` or `.omp/rules`."
        )
    found = _innermost(folders)
    if found is not None:
        folder, depth = found
        if depth and not folder.is_deep:
            return Misplaced(
                f"Only files directly in `{folder.shown}` are read, and this one is in a folder inside of it.",
                f"Move it up into `{folder.shown}`.",
            )
        return _misnamed(name, folder)
    return _beside(folders, name) if fires else _beside_guidance(folders, name)


def _innermost(folders: tuple[str, ...]) -> tuple[_RuleFolder, int] | None:
    """The rule folder that a file is in or below, and how many folders are between them."""
    for end in range(len(folders), 0, -1):
        for folder in _FOLDERS:
            if folders[max(end - len(folder.names), 0) : end] == folder.names:
                return folder, len(folders) - end
    return None


def _misnamed(name: str, folder: _RuleFolder) -> Misplaced | None:
    suffixes = folder.provider.suffixes
    if name.startswith("."):
        return Misplaced("Files whose name begins with a dot are not read.", f"Call it `{name.lstrip('.')}`.")
    if name.endswith(suffixes):
        return None
    shown = " and ".join(f"`*{suffix}`" for suffix in suffixes)
    reason = f"In `{folder.shown}` only {shown} files are read, and case counts; this one is called `{name}`."
    return Misplaced(reason, f"Call it `{PurePath(name).stem.removesuffix('.instructions')}{suffixes[0]}`.")


def _beside_guidance(folders: tuple[str, ...], name: str) -> Misplaced | None:
    """A file whose suffix tells that it is told to the model, in a folder of its program beside the right one."""
    if is_in_store(folders, (".cursor", ".github")):
        return None
    if name.endswith(".mdc") and ".cursor" in folders[-2:]:
        return Misplaced("Cursor reads rules only from `.cursor/rules`.", "Move the file there.")
    if name.endswith(".instructions.md") and ".github" in folders[-2:]:
        return Misplaced("GitHub Copilot reads instructions only from `.github/instructions`.", "Move the file there.")
    return None


def _beside(folders: tuple[str, ...], name: str) -> Misplaced | None:
    """A file with a trigger, somewhere where it looks as if it should be found."""
    for names, program in _NEVER_READ.items():
        if folders[-len(names) :] == names:
            return Misplaced(
                f"oh-my-pi does not read `{'/'.join(names)}`, and {program} does not fire on conditions.",
                "Move the rule into `.omp/rules` or `.agents/rules`.",
            )
    if not folders or not any(own in folders[-2:] for own in _OWN_FOLDERS) or name == _STICKY:
        return None
    if is_in_store(folders, _OWN_FOLDERS):
        return None
    own = next(own for own in _OWN_FOLDERS if own in folders[-2:])
    return Misplaced(
        f"Rules are only read from `{own}/rules`, and this file is beside it.", f"Move it into `{own}/rules`."
    )
