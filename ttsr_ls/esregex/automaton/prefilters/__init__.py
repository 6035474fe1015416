"""Literal prefilters: conditions are stepped only where a text that they require occurs."""
