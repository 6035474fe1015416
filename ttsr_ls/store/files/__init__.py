"""Reads and writes files: size-limited, atomically, privately, and with one writer at a time."""
