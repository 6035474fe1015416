"""The errors that callers of this package can meet.

Problems in the *content* of rule files, logs or streams are findings, never exceptions; these types are for misuse,
for limits, and for the borders to the outside.
"""


def error_text(error: BaseException) -> str:
    """Returns the message of an error; the name of its type if it has none, or if its own code fails to make it."""
    try:
        text = str(error)
    except Exception:  # Foreign code may raise anything.
        text = ""
    return text or type(error).__name__


class TtsrError(Exception):
    """Base of every error that this package raises on purpose. Its text is fit to be shown to a person."""


class UsageError(TtsrError):
    """The caller asked for something that makes no sense: a wrong argument, a call out of order."""
