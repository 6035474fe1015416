"""Runs the command line: `ttsr-ls`, and `python -m ttsr_ls`.

Ends without a traceback when Ctrl-C comes while the command line is still imported.
"""

from __future__ import annotations

# The module `signal` imports `enum`, in which the interrupt would come as an exception.
import _signal  # type: ignore[import-not-found, unused-ignore]
import sys

_INTERRUPTED = 130
"""`ExitCode.INTERRUPTED`, whose module takes longer to import than this one."""


def main() -> int:
    """Runs the command line of the process; returns the exit status."""
    is_default = _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler
    if is_default:
        # Nothing needs to be cleaned up yet, so the signal can end the process.
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    from ttsr_ls.cli.main import main as run

    try:
        if is_default:
            _signal.signal(_signal.SIGINT, _signal.default_int_handler)
        return run()
    except KeyboardInterrupt:
        return _INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
