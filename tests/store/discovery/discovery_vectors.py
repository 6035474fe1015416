"""Reads `discovery.json.gz` and `listings.json.gz`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

_VECTORS = Path(__file__).parents[2] / "vectors"


def recorded_trees() -> list[dict[str, Any]]:
    return list(json.loads(gzip.decompress((_VECTORS / "discovery.json.gz").read_bytes()))["trees"])


def recorded_listings() -> list[dict[str, Any]]:
    return list(json.loads(gzip.decompress((_VECTORS / "listings.json.gz").read_bytes()))["cases"])
