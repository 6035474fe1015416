"""ECMAScript regular expressions: parsed to a tree with spans, explained, and matched within bounds.

The language is that of `new RegExp(pattern)` without the `u` and `v` flags: Annex B over UTF-16 code units.
"""
