"""The command `scan`."""
