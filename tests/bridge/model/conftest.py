"""The wires' scripted answers are those of the decoders' tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "wire"))
