"""Output on a terminal: the one function that prints, escapes, and forms of text."""
