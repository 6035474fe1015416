"""Requests of our own about trials and rule tests, one file a method."""
