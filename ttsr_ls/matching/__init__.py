"""Which rules a stream of deltas and snapshots triggers (spec M, Z, A). Pure: no disk, clock or protocol."""
