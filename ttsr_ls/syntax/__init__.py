"""A rule file's text, read into a tree with spans and the problems that were met; never raises on content."""
