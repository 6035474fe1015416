"""The one table of rule locations: in which folders, under which names, programs look for rule files (spec D2-D8, X1).

The readers of a location are listed elsewhere: the program of each dialect in `dialects.table`, the reference agent in
`rules.providers`. Detection, discovery, the checks, the files that the server has editors watch, the agent's write
guards, and the claims of the editor plugins and the pre-commit hooks derive from these constants.
"""

from __future__ import annotations

from pathlib import PurePath

from msgspec import Struct

RULE_SUFFIXES = (".md", ".mdc")
"""The suffixes of rule files that are Markdown."""


class RuleLocation(Struct, frozen=True):
    """Files that a program reads as rules: the files with certain names in a folder whose path ends in `folders`.

    `names` are file names in which one `*` matches any text. With `is_deep`, the program of the dialect reads
    subfolders too; `rules.providers` has what the reference agent reads.
    """

    folders: tuple[str, ...]
    names: tuple[str, ...]
    is_deep: bool = False

    @property
    def path(self) -> str:
        """The path of the folder, for messages."""
        return "/".join(self.folders)

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The suffixes of the file names; that of new files comes first."""
        return tuple(name.rpartition("*")[2] for name in self.names)

    @property
    def prefix(self) -> str:
        """The prefix of the file names."""
        return self.names[0].partition("*")[0] if self.has_many_files else ""

    @property
    def has_many_files(self) -> bool:
        """True if the location has any number of files, rather than one file with a fixed name."""
        return "*" in self.names[0]

    @property
    def globs(self) -> tuple[str, ...]:
        """A glob for each name, relative to the folder of a workspace."""
        deep = ("**",) if self.is_deep else ()
        return tuple("/".join(("**", *self.folders, *deep, name)) for name in self.names)

    def contains(self, path: PurePath) -> bool:
        """Returns whether a path is one of these files."""
        return self.contains_folder(path.parts[:-1]) and any(_is_named(path.name, name) for name in self.names)

    def contains_folder(self, folders: tuple[str, ...]) -> bool:
        """Returns whether files with these names are read in the folder with this path."""
        if self.is_deep:
            return contains(folders, self.folders)
        return folders[len(folders) - len(self.folders) :] == self.folders

    def __str__(self) -> str:
        return self.globs[0].removeprefix("**/")


def contains(folders: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Returns whether `wanted` occurs as a contiguous run in `folders`."""
    return any(
        folders[position : position + len(wanted)] == wanted for position in range(len(folders) - len(wanted) + 1)
    )


def _is_named(file_name: str, pattern: str) -> bool:
    before, star, after = pattern.partition("*")
    if not star:
        return file_name == pattern
    # The parts before and after the star must not overlap: `hookify.local.md` does not match `hookify.*.local.md`.
    return len(file_name) >= len(before) + len(after) and file_name.startswith(before) and file_name.endswith(after)


_MARKDOWN = tuple(f"*{suffix}" for suffix in RULE_SUFFIXES)

PROJECT_RULES = RuleLocation((".omp", "rules"), _MARKDOWN)
USER_RULES = RuleLocation((".omp", "agent", "rules"), _MARKDOWN)
PROJECT_STICKY = RuleLocation((".omp",), ("RULES.md",))
USER_STICKY = RuleLocation((".omp", "agent"), ("RULES.md",))
AGENT_RULES = RuleLocation((".agent", "rules"), _MARKDOWN)
AGENTS_RULES = RuleLocation((".agents", "rules"), _MARKDOWN)
PACKAGE_RULES = RuleLocation(("rules",), _MARKDOWN)
"""The rules of an extension package, of a plugin, or of an agent folder that was moved, wherever these are."""

PI_RULES = RuleLocation((".pi", "rules"), ("*.md",))
MAESTRO_RULES = RuleLocation((".maestro", "rules"), ("*.md",))
HOOKIFY_RULES = RuleLocation((".claude",), ("hookify.*.local.md",))
CURSOR_RULES = RuleLocation((".cursor", "rules"), ("*.mdc", "*.md"), is_deep=True)
WINDSURF_RULES = RuleLocation((".windsurf", "rules"), ("*.md",), is_deep=True)
DEVIN_RULES = RuleLocation((".devin", "rules"), ("*.md",), is_deep=True)
WINDSURF_MEMORIES = RuleLocation((".codeium", "windsurf", "memories"), ("global_rules.md",))
CLINE_RULES = RuleLocation((".clinerules",), ("*.md",), is_deep=True)
CLINE_FILE = RuleLocation((), (".clinerules",))
COPILOT_INSTRUCTIONS = RuleLocation((".github", "instructions"), ("*.instructions.md",), is_deep=True)
COPILOT_FILE = "copilot-instructions.md"
"""The file in `.github` that Copilot reads for every request; it reads none of this name in another folder."""
CLAUDE_RULES = RuleLocation((".claude", "rules"), ("*.md",), is_deep=True)

LEGACY_FILES = {".cursorrules": CURSOR_RULES, ".windsurfrules": WINDSURF_RULES}
"""Files of rules that no current program reads, each with the location that took its place."""
UNREAD_LOCATIONS = {RuleLocation((".gemini", "rules"), _MARKDOWN): "Gemini"}
"""Folders with rules that no program reads, each with the program that users expect to read them."""
