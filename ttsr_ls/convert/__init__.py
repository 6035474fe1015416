"""Converts a rule file from one dialect to another.

A module `from_…` reads a file of its dialect into a `PortableRule`, a module `to_…` writes one; both report what is
lost. Pure: the caller writes the result.
"""
