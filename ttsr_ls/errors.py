"""The errors that callers of this package can meet.

Problems in the *content* of rule files, logs or streams are findings, never exceptions; these types are for misuse,
for limits, and for the borders to the outside.
"""


class TtsrError(Exception):
    """Base of every error that this package raises on purpose. Its text is fit to be shown to a person."""


class UsageError(TtsrError):
    """The caller asked for something that makes no sense: a wrong argument, a call out of order."""
