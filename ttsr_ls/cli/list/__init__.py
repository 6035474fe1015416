"""The command `list`."""
