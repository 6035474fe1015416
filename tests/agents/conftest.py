"""Tests with real agents. They are part of a run where the environment names the agents (`.ci/run` does), else not.

`TTSR_CLAUDE` is a Claude Code. It is given a scripted model on loopback and a home of its own: no key, no network.
"""

import os

collect_ignore = [] if os.environ.get("TTSR_CLAUDE") else ["test_claude_code.py", "test_claude_tasks.py"]
