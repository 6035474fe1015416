"""Matches rules on a stream of deltas and snapshots (spec M, Z, A). Pure: no disk, clock or protocol."""
