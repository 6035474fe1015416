"""Types of arguments that name something; each refuses an empty text, as of a shell variable that is not set.

`Path("")` would be the current folder.
"""

from __future__ import annotations

import argparse
from pathlib import Path


def path_argument(text: str) -> Path:
    """Returns the path of a file or a folder."""
    return Path(path_text(text))


def path_text(text: str) -> str:
    """Returns the text of a path, for arguments in which `-` or a pattern has a meaning."""
    if not text:
        raise argparse.ArgumentTypeError("the name of a file or folder is empty")
    return text


def name_argument(text: str) -> str:
    """Returns a name."""
    if not text:
        raise argparse.ArgumentTypeError("the name is empty")
    return text
