"""The forms of a tool call's path on which globs are matched (spec G4)."""

from __future__ import annotations

import posixpath
from pathlib import PurePath, PurePosixPath


def path_candidates(raw: str, cwd: PurePath) -> tuple[str, ...]:
    """Returns the distinct forms of a path that an agent wrote, with `/` as separator.

    The forms: as written, without a leading `./`, absolute (resolved on `cwd`, itself absolute), and relative to `cwd`
    if it lies inside. Pure: symbolic links are not followed. A blank path has no forms.
    """
    if not raw.strip():
        return ()
    source = raw.replace("\\", "/")
    if isinstance(cwd, PurePosixPath):
        forms = _posix_forms(source, str(cwd))
    else:
        absolute = type(cwd)(posixpath.normpath((cwd / source).as_posix()))
        forms = [absolute.as_posix()]
        if absolute != cwd and absolute.is_relative_to(cwd):
            forms.append(absolute.relative_to(cwd).as_posix())
    return tuple(dict.fromkeys([source, source.removeprefix("./"), *forms]))


def _posix_forms(written: str, cwd: str) -> list[str]:
    """The absolute form of a path, and the one relative to `cwd`. Path objects would cost ten times as much."""
    folder = cwd if cwd.endswith("/") else f"{cwd}/"
    absolute = posixpath.normpath(written if written.startswith("/") else folder + written)
    # Two slashes at the start are another root than one.
    is_inside = absolute.startswith(folder) and absolute.startswith("//") == cwd.startswith("//")
    return [absolute, absolute[len(folder) :]] if is_inside and len(absolute) > len(folder) else [absolute]
