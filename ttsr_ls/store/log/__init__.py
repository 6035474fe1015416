"""Session logs: codec, writer, reader, recovery, and following (spec E)."""
