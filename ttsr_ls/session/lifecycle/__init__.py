"""The lifecycle of a session: valid inputs in each phase, what goes on record, and the commands (spec I, U)."""
