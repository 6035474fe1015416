"""The forms of a tool call's path on which globs are tried (semantics.md G4)."""

from __future__ import annotations

import posixpath
from pathlib import PurePath


def path_candidates(raw: str, cwd: PurePath) -> tuple[str, ...]:
    """A path as an agent wrote it, in every form that counts, without repetitions and with `/` throughout.

    As written, without a leading `./`, absolute (resolved on `cwd`), and relative to `cwd` where it lies inside. Pure:
    symbolic links are not followed. A blank path has no forms.
    """
    if not raw.strip():
        return ()
    written = raw.replace("\\", "/")
    base = cwd.as_posix()
    absolute = posixpath.normpath(posixpath.join(base, written))
    forms = [written, written.removeprefix("./"), absolute]
    inside = base.rstrip("/") + "/"
    if absolute.startswith(inside) and len(absolute) > len(inside):
        forms.append(absolute[len(inside) :])
    return tuple(dict.fromkeys(forms))
