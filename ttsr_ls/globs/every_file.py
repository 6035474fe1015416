"""The globs that match every file of a project."""

EVERY_FILE = frozenset(("*", "**", "**/*"))
"""The same in the reference agent and in the programs whose guidance rules have globs."""
