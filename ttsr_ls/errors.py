"""The errors that this package raises.

Problems in the *content* of rule files, logs or streams are findings, never exceptions; these types are for misuse,
for limits, and for the borders to the outside.
"""


def error_text(error: BaseException) -> str:
    """Returns the message of an error; the name of its type if it has none, or if `str` fails."""
    try:
        text = str(error)
    except Exception:  # Foreign code may raise anything.
        text = ""
    return text or type(error).__name__


class TtsrError(Exception):
    """Base of every error that this package raises on purpose. Its text can be shown to users."""


class UsageError(TtsrError):
    """The caller misused the API: a wrong argument, or a call out of order."""
