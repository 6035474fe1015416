"""Answers are those of the decoders' tests, and what providers demand is checked as by the engine's."""

import sys
from pathlib import Path

TESTS = Path(__file__).parents[2]
for part in ("bridge/wire", "engine"):
    sys.path.insert(0, str(TESTS / part))
