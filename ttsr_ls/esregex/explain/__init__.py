"""Explains in plain English what a regular expression matches."""
