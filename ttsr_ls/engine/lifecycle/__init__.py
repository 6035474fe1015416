"""The life of a session (spec I, U): what may happen when, what goes on record, what is to be done."""
