"""What a person is told of a session log that cannot be written. Each command shows it in its own way."""

from __future__ import annotations


def no_log(reason: str) -> str:
    """Said at the start, where the command goes on without a log."""
    return (
        f"No session log is kept: {reason}. Rules work all the same, but editors see nothing of this session, and it "
        "cannot be continued."
    )


def recording_stopped(reason: str) -> str:
    """Said where only the report suffers."""
    return f"Nothing is recorded from here on: {reason}. Rules are still reported here, but editors do not see them."


def rules_off(reason: str) -> str:
    """Said where rules would act on the agent."""
    return (
        f"Rules are off from here, until the session log works again: {reason}. The agent goes on, and no rule cuts it "
        "off or tells it anything."
    )


RULES_ON = "Rules are on again: the session log works, and has what happened meanwhile."


def lost(records: int) -> str:
    """Said at the end, of records that never got to the log."""
    return f"{records} record{' was' if records == 1 else 's were'} lost: the session log could not be written."
