"""What may happen when in a session, what goes on record, and what is to be done (spec I, U)."""
