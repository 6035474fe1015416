"""Lets tests in the folders below use the vectors beside this file."""
