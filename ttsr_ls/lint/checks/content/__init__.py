"""Checks of conditions against the text that they are matched on."""
