"""What the judge of `record_interrupts.py` says, and that of the tests with it; stdlib only."""

from __future__ import annotations

WORDS = ("zq", "tests passed")
"""What rules with a question are about in the sessions."""


def says_yes(question: str, output: str) -> bool:
    """Returns whether an output breaks a rule, by its words. A question that begins with "No" is answered so."""
    return not question.startswith("No,") and any(word in output for word in WORDS)
