"""Literal prefilters: a group of patterns is stepped only near a text that its patterns require."""
