"""What pi-ttsr has its host do about a trigger: abort, and retry with one more message (spec P7).

The partial answer is always dropped. Who aborts and retries is the session's business.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from ttsr_ls.rules.rule import Rule


class Role(StrEnum):
    """As whose the message is injected."""

    SYSTEM = "system"
    USER = "user"


class RetryMessage(Struct, frozen=True):
    """The message with which the request is made once more."""

    content: str
    role: Role = Role.SYSTEM


def retry_message(rule: Rule, role: Role = Role.SYSTEM) -> RetryMessage:
    """The message that tells of a rule: its name, its text, and what is to be done; to the letter as in the seed."""
    content = (
        f"[TTSR RULE: {rule.name}]\n\n{rule.body}\n\n"
        "Your previous response was interrupted because it matched this rule. "
        "Regenerate your response following the rule above."
    )
    return RetryMessage(content, role)
