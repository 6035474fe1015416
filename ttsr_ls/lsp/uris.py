"""Document URIs and file paths.

pygls' own conversion loses what follows a `;` in a file name and answers None where there is no file; a document that
was never saved still needs a name.
"""

from __future__ import annotations

import re
import sys
from urllib.parse import quote, unquote, urlsplit

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


def is_file(uri: str) -> bool:
    """Whether a URI names a file."""
    return uri.startswith("file:")


def uri_of(path: str) -> str:
    """The `file:` URI of an absolute path."""
    if sys.platform == "win32":
        path = path.replace("\\", "/")
    try:
        encoded = quote(path, safe="/", errors="surrogateescape")
    except UnicodeEncodeError:  # Half of a surrogate pair that stands for no byte: no file is called so, an agent may.
        encoded = quote(path, safe="/", errors="replace")
    if path.startswith("//"):
        return f"file:{encoded}"
    if _DRIVE.match(f"/{path}"):
        return f"file:///{path[0]}:{encoded[4:]}"
    return f"file://{encoded}"
