"""Rules for coding agents: read, linted, matched against what agents stream, and shown in the editor."""

__version__ = "0.1.0"
