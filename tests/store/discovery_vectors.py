"""Reads `discovery.json.gz` and makes its trees."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

_VECTORS = Path(__file__).parents[1] / "vectors"
_LINK = "->"


def recorded_trees() -> list[dict[str, Any]]:
    return list(json.loads(gzip.decompress((_VECTORS / "discovery.json.gz").read_bytes()))["trees"])


def recorded_listings() -> list[dict[str, Any]]:
    return list(json.loads(gzip.decompress((_VECTORS / "listings.json.gz").read_bytes()))["cases"])


def make_tree(root: Path, tree: dict[str, Any]) -> None:
    (root / "home").mkdir()
    (root / tree["cwd"]).mkdir(parents=True, exist_ok=True)
    for name, text in tree["files"].items():
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        content = text.replace("{root}", str(root))
        if content.startswith(_LINK):
            path.symlink_to(content.removeprefix(_LINK))
        else:
            path.write_bytes(content.encode())
