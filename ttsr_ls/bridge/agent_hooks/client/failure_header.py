"""The header that clients of the hook server send, in a module that takes little time to import."""

from __future__ import annotations

FAILURE_HEADER = "Ttsr-Ls-On-Failure"
"""The header in which the hook before a tool call names the effect of a failure. Without it, the call runs."""
FAILURE_DENIES = "block"
"""The value of `FAILURE_HEADER` in hooks that fail closed: a call that cannot be checked is denied."""
