"""Reads `scan.json.gz`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

_VECTORS = Path(__file__).parents[2] / "vectors"


def recorded_scans() -> list[dict[str, Any]]:
    return list(json.loads(gzip.decompress((_VECTORS / "scan.json.gz").read_bytes()))["trees"])
