"""The names of test files."""

from __future__ import annotations

SUFFIXES = (".test.yml", ".test.yaml")


def is_case_file(path: str) -> bool:
    """Returns whether the file at a path is a test file, by its name."""
    return path.endswith(SUFFIXES)


def rule_stem(path: str) -> str:
    """Returns the path of a test file without its suffix, which is the path of the rule without `.md`."""
    return next(path.removesuffix(suffix) for suffix in SUFFIXES if path.endswith(suffix))
