"""Rules are made as the engine's tests make them, answers as those of the decoders and the client."""

import sys
from pathlib import Path

TESTS = Path(__file__).parents[2]
for part in ("bridge/wire", "bridge/model", "engine"):
    sys.path.insert(0, str(TESTS / part))
