"""Judged rules in a session: a model is asked about finished outputs, and what it finds becomes a warning."""
