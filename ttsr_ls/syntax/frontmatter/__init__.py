"""Reads keys and values from the text between the delimiters: YAML, its repair, and the line fallback (spec
F4 to F7).
"""
