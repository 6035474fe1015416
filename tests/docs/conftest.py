"""The fixtures of the command line."""

from tests.cli.conftest import project

__all__ = ["project"]
