"""The folder that the agent may read and change.

Guarantees that no path of a model leads out of it, by `..` or through a link; that guarded files are not written; and
that only regular files of limited size are read or written.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from ttsr_ls.agent.aliases import aliases
from ttsr_ls.agent.guarded import confirmation_reason, is_about_agents, is_of_git, plain_names
from ttsr_ls.agent.tool import ToolError
from ttsr_ls.store.files.replacement import replace_file

MAX_FILE = 1024 * 1024
"""The largest file that is read or written, in bytes."""

MAX_PARTS = 200
"""The most parts of a path. Resolving a path and creating folders recurse once for each part."""

_MAX_LINKS = 40

MAX_PATH = 4096
"""The most characters of a path: the limit of Linux, and more than other systems accept."""


class AgentWorkspace:
    """One folder. `guarded` are further files and folders, including their contents, that must not be written."""

    def __init__(self, folder: Path, guarded: Iterable[Path] = ()) -> None:
        self.folder = folder.resolve()
        # `realpath` also resolves links that lead in a circle.
        self._guarded = tuple(plain_names(Path(os.path.realpath(path))) for path in guarded)

    def path(self, name: str) -> Path:
        """Returns the path for a model's `name`. Raises ToolError if it is outside of the folder."""
        if not name.strip() or "\0" in name:
            raise ToolError("A path is needed.")
        if len(name) > MAX_PATH or len(Path(name).parts) > MAX_PARTS:
            raise ToolError(f"A path has at most {MAX_PATH} characters and {MAX_PARTS} parts; write a shorter one.")
        try:
            file_path = (self.folder / name).resolve()
            # Since Python 3.13, `resolve` leaves a circular link unresolved.
            is_circle = any(path.is_symlink() for path in (file_path, *file_path.parents))
        except (OSError, RuntimeError) as error:  # The name is too long, or a link is circular.
            raise ToolError(f"{name}: {_reason(error)}") from error
        if is_circle:
            raise ToolError(f"{name} leads through a symbolic link that leads to itself.")
        if not file_path.is_relative_to(self.folder):
            raise ToolError(f"{name} is outside of the working folder; only what is inside can be read or written.")
        _check_not_git(name, self._insides(name, file_path))
        return file_path

    def _insides(self, name: str, path: Path) -> tuple[Path, ...]:
        """Returns a path relative to the folder: as named, after each link in it is resolved, and fully resolved."""
        steps = (Path(os.path.normpath(self.folder / name)), *link_steps(self.folder / name), path)
        return tuple(step.relative_to(self.folder) for step in steps if step.is_relative_to(self.folder))

    def _checked(self, name: str) -> tuple[Path, tuple[Path, ...]]:
        """Returns the path of a file that may be written, and all its names in the folder. Raises ToolError."""
        path = self.path(name)
        names = (*self._insides(name, path), *aliases(self.folder, path))
        _check_not_git(name, names)
        full = plain_names(path)
        is_guarded = any(full[: len(guarded)] == guarded for guarded in self._guarded)
        if is_guarded or any(is_about_agents(path) for path in names):
            raise ToolError(
                f"{name} belongs to the rules, settings or records that you work under, so you cannot change it. "
                "Tell the user what should be changed and why."
            )
        return path, names

    def confirmation_reason(self, name: str) -> str | None:
        """Returns why the user must be asked before the file is written, as a sentence; else None.

        Raises ToolError for a file that must not be written at all.
        """
        _, names = self._checked(name)
        return next(filter(None, map(confirmation_reason, names)), None)

    def read(self, name: str) -> bytes:
        """The bytes of a file. Raises ToolError."""
        path = self.path(name)
        try:
            descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
            with open(descriptor, "rb") as file:  # noqa: PTH123 - of a descriptor, for which Path has nothing
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    raise ToolError(f"{name} is not a file.")
                data = file.read(MAX_FILE + 1)
        except OSError as error:
            raise ToolError(f"{name}: {_reason(error)}") from error
        if len(data) > MAX_FILE:
            raise ToolError(f"{name} is larger than {MAX_FILE // 1024} KiB.")
        return data

    def write(self, name: str, data: bytes) -> None:
        """Replaces or creates a file atomically, and keeps its mode. Raises ToolError."""
        if len(data) > MAX_FILE:
            raise ToolError(f"{name} would be larger than {MAX_FILE // 1024} KiB.")
        path, _ = self._checked(name)
        try:
            if path == self.folder or (path.exists() and not path.is_file()):
                raise ToolError(f"{name} is not a file.")
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, data)
        except OSError as error:
            raise ToolError(f"{name}: {_reason(error)}") from error


def _check_not_git(name: str, names: Iterable[Path]) -> None:
    if any(is_of_git(path) for path in names):
        raise ToolError(f"{name} is git's own; ask for a git command instead.")


def link_steps(path: Path) -> Iterator[Path]:
    """Yields a path after each symbolic link in it is resolved. Stops after 40 links, the limit of Linux."""
    waiting, file_path = list(reversed(path.parts)), Path()
    for _ in range(_MAX_LINKS):
        while waiting:
            part = waiting.pop()
            file_path = file_path.parent if part == ".." else file_path / part
            if os.path.islink(file_path):  # noqa: PTH114 - unlike `Path.is_symlink` it takes names that are too long
                break
        else:
            return
        target = file_path.readlink()
        waiting += reversed(target.parts)
        file_path = Path() if target.is_absolute() else file_path.parent
        yield Path(os.path.normpath(file_path.joinpath(*reversed(waiting))))


def _reason(error: OSError | RuntimeError) -> str:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return reason[:1].lower() + reason[1:]
