"""Features are tried in sessions as the host's tests have them."""

import sys
from pathlib import Path

TESTS = Path(__file__).parents[2]
for part in ("bridge/wire", "bridge/host", "engine"):
    sys.path.insert(0, str(TESTS / part))
