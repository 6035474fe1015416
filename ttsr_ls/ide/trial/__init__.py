"""Tries rules on a text: selected text, examples, snippets."""
