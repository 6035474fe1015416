"""The forms of a tool call's path on which globs are matched (spec G4)."""

from __future__ import annotations

import posixpath
from pathlib import PurePath


def path_candidates(raw: str, cwd: PurePath) -> tuple[str, ...]:
    """Returns the distinct forms of a path that an agent wrote, with `/` as separator.

    The forms: as written, without a leading `./`, absolute (resolved on `cwd`, itself absolute), and relative to `cwd`
    if it lies inside. Pure: symbolic links are not followed. A blank path has no forms.
    """
    if not raw.strip():
        return ()
    written = raw.replace("\\", "/")
    absolute = type(cwd)(posixpath.normpath((cwd / written).as_posix()))
    forms = [written, written.removeprefix("./"), absolute.as_posix()]
    if absolute != cwd and absolute.is_relative_to(cwd):
        forms.append(absolute.relative_to(cwd).as_posix())
    return tuple(dict.fromkeys(forms))
