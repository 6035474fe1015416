"""Converts document URIs and file paths.

The conversion of pygls loses the part after a `;` in a file name, and returns None for a document that was never saved,
which still needs a name here.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

from ttsr_ls.escaping import one_line

logger = logging.getLogger(__name__)

_MAX_PATH_LENGTH = 4096 if sys.platform != "win32" else 32_768
"""In bytes; PATH_MAX of Linux, and what Windows takes."""
_DRIVE = re.compile(r"/[a-zA-Z]:")


def path_of(uri: str) -> str:
    """The path of a `file:` URI as the operating system writes it; of any other URI, its path part."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return uri
    path = unquote(parts.path, errors="surrogateescape")
    if parts.scheme != "file":
        return path or uri
    if parts.netloc:
        path = f"//{parts.netloc}{path}"
    elif _DRIVE.match(path):
        path = path[1].lower() + path[2:]
    return path.replace("/", "\\") if sys.platform == "win32" else path


def can_be_a_path(path: str) -> bool:
    """Returns whether the operating system accepts a path: it has no NUL, can be encoded, and is not too long."""
    try:
        return "\0" not in path and len(os.fsencode(path)) < _MAX_PATH_LENGTH
    except UnicodeEncodeError:
        return False


def is_file(uri: str) -> bool:
    """Returns whether a URI names a file."""
    return uri.startswith("file:")


def folders_of(uris: Iterable[str]) -> list[str]:
    """The paths of workspace folders. One that cannot be on this disk is left out and logged."""
    folders: list[str] = []
    for uri in uris:
        path = path_of(uri)
        if is_file(uri) and can_be_a_path(path):
            folders.append(path)
        elif is_file(uri):
            logger.warning(
                "a workspace folder is left out, as it cannot be the path of a folder: %.200s", one_line(uri)
            )
    return folders
