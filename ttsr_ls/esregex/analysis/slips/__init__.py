"""Finds syntax of other dialects, and characters whose meaning the author probably mistook."""
