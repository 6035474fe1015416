"""Runs of agents as editors display them: a tree of sessions, turns and triggers, and a transcript of each session."""
