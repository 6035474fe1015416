"""Connections to an agent: the pipes of a process, and an HTTP server on loopback."""
