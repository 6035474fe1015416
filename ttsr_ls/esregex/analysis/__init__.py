"""Static analyses of patterns: parts that can never match, parts without an effect, and excessive backtracking.

All analyses are pure functions from trees to answers with spans in units. The work of each one is bounded; its
result shows whether it reached its bound.
"""
