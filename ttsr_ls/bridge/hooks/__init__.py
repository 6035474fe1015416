"""Hooks: what features may do, and the host that lets them."""
