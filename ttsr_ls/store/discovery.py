"""Which files are rules: the folders that the reference agent reads, in its order (semantics.md 1.12).

Looks at names only. Reading a file is `read_file`, bounded, because a rule folder may come with a repository that
nobody has looked at. Whether an earlier file of the same name hides a later one depends on what the files say
(a disabled one hides nothing, semantics.md `enabled`), so `shadowed` asks.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from ttsr_ls.errors import TtsrError

MAX_RULE_BYTES = 1024 * 1024
"""A larger file is not a rule: its body would not fit into any model's context."""

MAX_FOLDER_ENTRIES = 10_000
_SUFFIXES = (".md", ".mdc")


class RuleUnreadableError(TtsrError):
    """A rule file could not be read; the text says which and why."""


@dataclass(frozen=True, slots=True)
class DiscoveredRule:
    """A rule file that was found. `name` is the file's without its suffix, `provider` an id of semantics.md 1.12."""

    path: Path
    name: str
    provider: str


def discover(cwd: Path, home: Path, extra: Iterable[Path] = ()) -> tuple[DiscoveredRule, ...]:
    """All rule files for an agent that runs in `cwd`, those of higher priority first, shadowed ones included.

    `extra` are folders that somebody named: they come first, as provider `extra`. A folder that does not exist, or
    cannot be listed, has no rules.
    """
    found: list[DiscoveredRule] = []
    for folder in extra:
        found += rules_in(folder, "extra")
    found += rules_in(cwd / ".omp" / "rules", "native")
    found += rules_in(home / ".omp" / "agent" / "rules", "native")
    for base in (*_project_folders(cwd, home), home):
        for name in (".agent", ".agents"):
            found += rules_in(base / name / "rules", "agents")
    unique: dict[Path, DiscoveredRule] = {}
    for rule in found:
        unique.setdefault(rule.path, rule)
    return tuple(unique.values())


def rules_in(folder: Path, provider: str) -> tuple[DiscoveredRule, ...]:
    """The rule files directly in `folder`, by name; hidden files and anything but regular files are not rules."""
    names: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for count, entry in enumerate(entries):
                if count >= MAX_FOLDER_ENTRIES:
                    break
                if entry.name.endswith(_SUFFIXES) and not entry.name.startswith(".") and _is_file(entry):
                    names.append(entry.name)
    except OSError:
        return ()
    return tuple(DiscoveredRule(folder / name, rule_name(name), provider) for name in sorted(names))


def rule_name(file_name: str) -> str:
    """The name that a rule has by its file name."""
    return next((file_name.removesuffix(end) for end in _SUFFIXES if file_name.endswith(end)), file_name)


def shadowed(
    found: Iterable[DiscoveredRule], claims: Callable[[DiscoveredRule], bool]
) -> dict[DiscoveredRule, DiscoveredRule]:
    """The rules that an earlier one of the same name hides, each with the one that hides it (semantics.md B5).

    `claims` tells whether a file takes its name; a disabled one does not.
    """
    first: dict[str, DiscoveredRule] = {}
    hidden: dict[DiscoveredRule, DiscoveredRule] = {}
    for rule in found:
        if rule.name in first:
            hidden[rule] = first[rule.name]
        elif claims(rule):
            first[rule.name] = rule
    return hidden


def read_file(path: Path) -> bytes:
    """The bytes of a rule file. Raises RuleUnreadableError where it is too large, no file, or not readable."""
    try:
        # Without blocking, lest a pipe in the place of a file keep us waiting for its writer.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(descriptor, "rb") as file:  # noqa: PTH123 - of a descriptor, for which Path has nothing
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise RuleUnreadableError(f"cannot read {path}: it is not a file")
            data = file.read(MAX_RULE_BYTES + 1)
    except OSError as error:
        raise RuleUnreadableError(f"cannot read {path}: {error.strerror}") from error
    if len(data) > MAX_RULE_BYTES:
        raise RuleUnreadableError(f"cannot read {path}: it is larger than {MAX_RULE_BYTES // 1024} KiB")
    return data


def _project_folders(cwd: Path, home: Path) -> list[Path]:
    """`cwd` and its parents up to the root of its repository; never the home folder, whose rules are the user's."""
    folders: list[Path] = []
    for folder in (cwd, *cwd.parents):
        if folder == home:
            break
        folders.append(folder)
        if (folder / ".git").exists():
            break
    return folders


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False
