"""Counts the places in the files of a workspace that an open rule matches, in a process of its own."""
