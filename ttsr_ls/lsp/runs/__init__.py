"""Runs of agents on their way to the client: triggers in place, the tree, the transcripts, and messages."""
