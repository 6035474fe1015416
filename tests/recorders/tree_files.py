"""Makes the files of a recorded tree: the same ones when the reference is asked and when the answer is tested."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any

LINK = "->"
"""What the content of a link begins with; its target follows."""


def make_files(root: Path, files: Mapping[str, Any]) -> None:
    """Makes folders (names that end in `/`), links, and files of a text or of bytes (`{"base64": ...}`)."""
    for name, content in files.items():
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, dict):
            path.write_bytes(base64.b64decode(content["base64"]))
        elif content.startswith(LINK):
            path.symlink_to(content.removeprefix(LINK))
        else:
            path.write_bytes(content.encode())


def make_workspace(root: Path, tree: Mapping[str, Any]) -> None:
    """Makes a home folder, the current folder of `tree` and its files, in which `{root}` stands for `root`."""
    (root / "home").mkdir()
    (root / tree["cwd"]).mkdir(parents=True, exist_ok=True)
    make_files(root, {name: text.replace("{root}", str(root)) for name, text in tree["files"].items()})
