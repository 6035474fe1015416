"""Runs the command line: `python -m ttsr_ls`."""

from __future__ import annotations

import sys

from ttsr_ls.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
