"""`ttsr-ls --version --verbose`: the environment for a bug report, without secrets."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import ttsr_ls

_VARIABLES = ("TERM", "NO_COLOR", "FORCE_COLOR", "CI", "LANG", "LC_ALL", "PYTHONUTF8", "XDG_STATE_HOME")


def version_report() -> str:
    """Lines with a name and a value each: versions, the system, and the variables that change the output."""
    rows = list(_rows())
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)


def _rows() -> Iterator[tuple[str, str]]:
    yield "ttsr-ls", ttsr_ls.__version__
    yield "installed in", str(Path(ttsr_ls.__file__).parent)
    yield "Python", f"{platform.python_version()} ({platform.python_implementation()}), {sys.executable}"
    yield "system", platform.platform()
    yield "encoding", f"output {sys.stdout.encoding}, file names {sys.getfilesystemencoding()}"
    yield "terminal", "yes" if sys.stdout.isatty() else "no"
    for name in _VARIABLES:
        if name in os.environ:
            yield name, os.environ[name]
    for name in _dependencies():
        yield name, _version(name)


def _dependencies() -> list[str]:
    try:
        required = requires("ttsr-ls") or []
    except PackageNotFoundError:  # Run from a checkout that is not installed.
        return []
    names = (item.partition(";")[0] for item in required if "extra ==" not in item)
    return sorted(_name(name) for name in names)


def _name(requirement: str) -> str:
    end = next(
        (position for position, char in enumerate(requirement) if not (char.isalnum() or char in "-_.")),
        len(requirement),
    )
    return requirement[:end]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
