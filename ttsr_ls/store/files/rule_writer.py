"""Writes rule files atomically, and only in the folder of the file that a user named."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from ttsr_ls.errors import TtsrError, UsageError
from ttsr_ls.store.files.replacement import create_file, replace_file


class RuleUnwritableError(TtsrError):
    """A rule file could not be written; the text says which and why."""


def write_in_folder_of(path: Path, name: str, text: str) -> None:
    """Writes `text` to the file `name` in the folder of `path`, which is replaced if it is `path` itself.

    A link is replaced and not followed, because it may lead out of the folder; the mode of a replaced file is kept.
    Raises `UsageError` if another file of that name exists, and `RuleUnwritableError` if writing fails.
    """
    if name in ("", ".", "..") or any(separator in name for separator in ("/", "\\", "\0")):
        raise UsageError(f"'{name}' is not the name of a file")
    target = path.with_name(name)
    replaces = target.name == path.name
    if not replaces and os.path.lexists(target):
        raise UsageError(f"{target} exists already; move it away first")
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        write = replace_file if replaces else create_file
        write(target, text.encode("utf-8", "surrogatepass"), mode)
    except OSError as error:
        raise RuleUnwritableError(f"cannot write {target}: {error.strerror}") from error
