"""Runs the tests against the installed reference agent only if `TTSR_OMP` names its `omp`."""

import os

collect_ignore = [] if os.environ.get("TTSR_OMP") else ["test_installed_reference.py"]
