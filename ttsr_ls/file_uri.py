"""The `file:` URI of a path, as editors and reports have it.

`Path.as_uri` imports `urllib.request` from Python 3.14 on, which takes 25 ms.
"""

from __future__ import annotations

import re
import sys
from urllib.parse import quote

_DRIVE = re.compile(r"[a-zA-Z]:")


def file_uri(path: str) -> str:
    """Returns the `file:` URI of an absolute path."""
    if sys.platform == "win32":
        path = path.replace("\\", "/")
    try:
        encoded = quote(path, safe="/", errors="surrogateescape")
    except UnicodeEncodeError:  # A lone surrogate that stands for no byte: no file has such a name, an agent may.
        encoded = quote(path, safe="/", errors="replace")
    if path.startswith("//"):
        return f"file:{encoded}"
    if _DRIVE.match(path):
        return f"file:///{path[0]}:{encoded[4:]}"
    return f"file://{encoded}"
