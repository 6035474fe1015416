"""Providers' streams, read: what a model says on its own wire becomes outputs and the streams that rules apply to."""
