"""Lets the tests of this folder import the tables beside them."""
