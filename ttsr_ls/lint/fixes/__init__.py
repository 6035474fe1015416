"""Edits that fix findings, and whether a fix is safe."""
