"""Rules for coding agents: read, linted, matched against what agents stream, and shown in the editor."""

from __future__ import annotations

TYPE_CHECKING = False  # Type checkers know the name; importing `typing` would cost every command its time.
if TYPE_CHECKING:
    from ttsr_ls.bridge.host.session import Session as Session

__version__ = "0.1.0"

__all__ = ["Session", "__version__"]


def __getattr__(name: str) -> object:
    """`Session`, imported when somebody asks for it: no command should wait for asyncio and the wires."""
    if name == "Session":
        from ttsr_ls.bridge.host.session import Session

        return Session
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
