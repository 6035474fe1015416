"""Counts the matches of an open rule in the files of a workspace, in a process of its own."""
