"""Tests of the shared state are part of a run where the environment names a Redis server (`.ci/run` does), else not."""

import os

collect_ignore = [] if os.environ.get("TTSR_REDIS") else ["test_shared_state.py"]
