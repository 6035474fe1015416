"""Rules as a feature of a session: matches, decisions, injections and reminders."""
