"""The agent's tests use answers, providers and logs of the tests of decoders, clients and sessions."""

import sys
from pathlib import Path

for part in ("wire", "model", "host"):
    sys.path.insert(0, str(Path(__file__).parents[1] / part))
