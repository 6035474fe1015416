"""References to rules: in settings, links, comments in code, the configuration, and the names of files."""
