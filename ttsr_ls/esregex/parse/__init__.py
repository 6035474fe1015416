"""From the source of a regular expression to its tree, with errors at their position."""
