"""Saying in one dialect what a rule file says in another.

One module a source (`from_…`) reads a file into a `PortableRule`, one a target (`to_…`) writes it; both tell what is
lost. Pure: what becomes of the text is the caller's business.
"""
