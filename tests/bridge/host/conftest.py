"""Modules of other tests: answers of providers (wire), what providers demand (engine), failing disks (store)."""

import sys
from pathlib import Path

TESTS = Path(__file__).parents[2]
for part in ("bridge/wire", "bridge/hooks", "engine", "store"):
    sys.path.insert(0, str(TESTS / part))
