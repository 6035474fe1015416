"""Reads `scan.json.gz` and makes its trees."""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path
from typing import Any

_VECTORS = Path(__file__).parents[1] / "vectors"
_LINK = "->"


def recorded_scans() -> list[dict[str, Any]]:
    return list(json.loads(gzip.decompress((_VECTORS / "scan.json.gz").read_bytes()))["trees"])


def make_tree(root: Path, files: dict[str, Any]) -> None:
    for name, content in files.items():
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, dict):
            path.write_bytes(base64.b64decode(content["base64"]))
        elif content.startswith(_LINK):
            path.symlink_to(content.removeprefix(_LINK))
        else:
            path.write_bytes(content.encode())
