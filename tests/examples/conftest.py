"""The examples talk to the provider on loopback that the client's tests have."""

import sys
from pathlib import Path

for part in ("bridge/wire", "bridge/model"):
    sys.path.insert(0, str(Path(__file__).parents[1] / part))
