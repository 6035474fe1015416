"""Finds syntax of other dialects, and characters that were probably meant otherwise."""
