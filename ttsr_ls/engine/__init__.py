"""The pure core: rules, rule sets, and the monitor that says which rules a stream of deltas triggers.

Knows no clock, no disk and no protocol.
"""
