"""Checks of the file as a whole, its names, its keys and its location."""
