"""Runs of agents on their way to the client: the tree, the transcripts, and word of what changed."""
