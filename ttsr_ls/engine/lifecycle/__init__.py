"""The life of a session (seed 000, sections 2 to 9): what may happen when, what goes on record, what is to be done."""
