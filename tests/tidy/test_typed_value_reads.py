"""Values of declared types are read in one place, which keeps threads apart: msgspec does not."""

from __future__ import annotations

import re
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "ttsr_ls"
READS = re.compile(r"msgspec\.convert\(|json\.Decoder\([^)]|json\.decode\([^\n]*type=")


def test_no_other_module_gives_msgspec_a_type() -> None:
    found = sorted(path.name for path in PACKAGE.rglob("*.py") if READS.search(path.read_text()))
    assert found == ["typed_values.py"]
