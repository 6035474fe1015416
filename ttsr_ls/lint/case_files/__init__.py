"""Checks of the files with the tests of rules."""
