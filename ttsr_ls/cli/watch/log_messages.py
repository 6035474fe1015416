"""Messages about a session log that cannot be written. Each command prints them in its own style."""

from __future__ import annotations


def not_recorded_message(reason: str) -> str:
    """The message for a command that continues without a log."""
    return (
        f"No session log is written: {reason}. Rules still work, but editors cannot follow this session, and it "
        "cannot be continued."
    )


def recording_stopped_message(reason: str) -> str:
    """The message for commands that only report triggers."""
    return (
        f"No records are written from now on: {reason}. Triggers are still reported here, but editors do not see them."
    )


def rules_disabled_message(reason: str) -> str:
    """The message for commands whose rules act on the agent."""
    return (
        f"Rules are off until the session log works again: {reason}. The agent continues; no rule interrupts it, "
        "and nothing is injected."
    )


RULES_ENABLED = "Rules are on again: the session log works, and has the records of the meantime."


def lost_records_message(records: int) -> str:
    """For the end of a command: the number of records that could not be written."""
    return f"{records} record{' was' if records == 1 else 's were'} lost: the session log could not be written."
