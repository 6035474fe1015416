"""Runs of agents as editors show them: a tree of sessions, turns and triggers, and a transcript of each session."""
