"""Rewrites a tree to one that matches exactly the prefixes at which its match is final (spec Z1)."""
