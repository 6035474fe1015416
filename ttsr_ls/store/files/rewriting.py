"""Rewrites a changed file atomically, with its encoding, and only if it is unchanged on the disk."""

from __future__ import annotations

import codecs
import os
import stat
from pathlib import Path

from ttsr_ls.errors import TtsrError
from ttsr_ls.store.files.bounded_file import RuleUnreadableError, read_file
from ttsr_ls.store.files.replacement import replace_file


class NotRewrittenError(TtsrError):
    """A file was not rewritten. The message names the file and the reason."""


def encode_like(text: str, like: bytes) -> bytes:
    """Returns the bytes of a text, with the encoding and the byte order mark of `like`."""
    if like.startswith(codecs.BOM_UTF16_LE):
        return codecs.BOM_UTF16_LE + text.encode("utf-16-le")
    mark = codecs.BOM_UTF8 if like.startswith(codecs.BOM_UTF8) else b""
    return mark + text.encode("utf-8")


def rewrite_file(path: Path, before: bytes, after: bytes) -> None:
    """Replaces `before` by `after`, with the file's mode. Raises `NotRewrittenError` and changes nothing if that is not
    possible.

    It refuses a link, whose target may belong to anybody, and a file that is not `before` any more.
    """
    try:
        status = os.lstat(path)
        if stat.S_ISLNK(status.st_mode):
            raise NotRewrittenError(f"{path} is not changed: it is a link; name the file that it leads to")
        if not os.access(path, os.W_OK):
            raise NotRewrittenError(f"{path} is not changed: it is read-only")
        if read_file(path) != before:
            raise NotRewrittenError(f"{path} is not changed: somebody else has changed it in the meantime")
        replace_file(path, after, stat.S_IMODE(status.st_mode), (status.st_uid, status.st_gid))
    except (OSError, RuleUnreadableError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise NotRewrittenError(f"{path} is not changed: {reason}") from error
