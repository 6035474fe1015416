"""The baseline file: known findings of a project, so that only new ones are reported.

Paths are relative to the file's own folder. The format is versioned JSON, one line for each finding, in order, so that
its changes are easy to read.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from ttsr_ls.errors import TtsrError
from ttsr_ls.store.files.bounded_file import read_bytes
from ttsr_ls.store.files.replacement import replace_file

VERSION = 1
_MAX_SIZE = 64 * 1024 * 1024


class BaselineError(TtsrError):
    """A baseline cannot be read or written. The message names the file and the reason."""


class KnownFinding(Struct, frozen=True):
    """A finding of a file, identified by its fingerprint (`lint.suppressions.fingerprint`)."""

    path: Path
    code: str
    fingerprint: str


class Baseline(Struct, frozen=True):
    """The fingerprints of known findings, by the absolute path of their file."""

    known: Mapping[Path, frozenset[str]]

    def knows(self, path: Path, fingerprint: str) -> bool:
        """Returns whether a finding of a file is one of them."""
        return fingerprint in self.known.get(_absolute(path), ())


def read_baseline(path: Path) -> Baseline:
    """Reads a baseline. Raises `BaselineError` if the file does not exist or is no baseline."""
    try:
        data = read_bytes(path, _MAX_SIZE + 1)
    except OSError as error:
        raise BaselineError(f"cannot read the baseline {path}: {error.strerror}") from error
    if len(data) > _MAX_SIZE:
        raise BaselineError(f"cannot read the baseline {path}: it is larger than {_MAX_SIZE // 1024 // 1024} MiB")
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BaselineError(f"cannot read the baseline {path}: it is not JSON") from error
    if not isinstance(document, dict) or document.get("version") != VERSION:
        raise BaselineError(f"cannot read the baseline {path}: it is not of version {VERSION}; write it anew")
    known: dict[Path, set[str]] = {}
    listed = document.get("findings")
    for finding in listed if isinstance(listed, list) else [None]:
        match finding:
            case {"path": str(name), "fingerprint": str(fingerprint)}:
                known.setdefault(_absolute(path.parent / name), set()).add(fingerprint)
            case _:
                raise BaselineError(f"cannot read the baseline {path}: `findings` is not a list of findings")
    return Baseline({name: frozenset(fingerprints) for name, fingerprints in known.items()})


def write_baseline(path: Path, findings: Iterable[KnownFinding]) -> None:
    """Writes the file of a baseline, replacing an existing one. Raises `BaselineError`."""
    folder = _absolute(path).parent
    rows = sorted(
        (Path(os.path.relpath(_absolute(finding.path), folder)).as_posix(), finding.code, finding.fingerprint)
        for finding in findings
    )
    lines = [json.dumps(dict(zip(("path", "code", "fingerprint"), row, strict=True))) for row in rows]
    listing = "[]" if not lines else "[\n    " + ",\n    ".join(lines) + "\n  ]"
    try:
        if path.exists() and not path.is_file():
            raise BaselineError(f"cannot write the baseline {path}: it is not a file")
        text = f'{{\n  "version": {VERSION},\n  "findings": {listing}\n}}\n'
        replace_file(path.resolve(), text.encode())
    except OSError as error:
        raise BaselineError(f"cannot write the baseline {path}: {error.strerror}") from error


def _absolute(path: Path) -> Path:
    return Path(os.path.normpath(path.absolute()))
