"""The agent's tests use the scripted answers of the decoders' tests and the provider of the client's."""

import sys
from pathlib import Path

for part in ("wire", "model"):
    sys.path.insert(0, str(Path(__file__).parents[1] / part))
