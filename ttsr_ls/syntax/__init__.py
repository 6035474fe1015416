"""Parses the text of a rule file to a tree with spans and problems. Never raises on content."""
