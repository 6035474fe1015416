"""Rules for coding agents: read, linted, matched against what agents stream, and shown in the editor.

For programs that embed a session, `ttsr_ls` has the names of `ttsr_ls.bridge.public` (docs/embedding.md).
"""

from __future__ import annotations

TYPE_CHECKING = False  # Type checkers know the name; importing `typing` would slow down every command.
if TYPE_CHECKING:
    from ttsr_ls.bridge.public import *  # noqa: F403

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Returns a public name. Imports it lazily: no command should wait for asyncio and the wires."""
    if name == "__all__":
        return [*_public_names(), "__version__"]
    if name[:1].isupper():  # All public names are classes and unions; Python looks up submodules here, too.
        from ttsr_ls.bridge import public

        if name in public.__all__:
            return getattr(public, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_public_names()])


def _public_names() -> list[str]:
    from ttsr_ls.bridge import public

    return public.__all__
