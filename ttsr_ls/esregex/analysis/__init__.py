"""What can be said of a pattern without matching it: which parts can never match, and which take too long to fail.

Pure functions from trees to answers with spans in units. Every one is bounded, and says so when it reached its bound.
"""
