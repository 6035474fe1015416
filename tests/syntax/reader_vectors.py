"""Reads the recorded answers of the reference agent's reader (format: tests/vectors/README.md)."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parents[1] / "vectors"


@dataclass(frozen=True, slots=True)
class RecordedFile:
    """A rule file, its fields as the agent reads them, and its entry of `ttsr list`, if it has one."""

    data: bytes
    read: dict[str, Any]
    listed: dict[str, Any] | None


def recorded_files() -> Iterator[RecordedFile]:
    for file in _load("rule-files.json.gz")["files"]:
        yield RecordedFile(base64.b64decode(file["base64"]), file["read"], file["listed"])


def recorded_yaml() -> Iterator[tuple[str, Any]]:
    """YAML texts, each with `{"value": …}` or `{"invalid": true}`."""
    yield from _load("yaml.json.gz")["texts"]


def _load(name: str) -> Any:
    return json.loads(gzip.decompress((VECTORS / name).read_bytes()))
