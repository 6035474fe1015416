"""The fixtures of the command line."""

from tests.cli.conftest import project, state

__all__ = ["project", "state"]
