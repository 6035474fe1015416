"""The command `why`."""
