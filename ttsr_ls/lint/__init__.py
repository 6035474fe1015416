"""Checks rule files: the catalogue of finding codes, the checks, and the fixes."""
