"""Watches an agent from outside: agent events in, turn events into the log, and notices for the user out."""
