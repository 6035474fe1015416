"""Runs of agents for the client: marks for triggers, the tree of runs, transcripts, and messages."""
