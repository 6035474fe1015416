"""The tests against the installed reference agent are part of a run where `TTSR_OMP` names its `omp`, else not."""

import os

collect_ignore = [] if os.environ.get("TTSR_OMP") else ["test_installed_reference.py"]
