"""Output on a terminal: printing, escaping, colours, and formats of text."""
