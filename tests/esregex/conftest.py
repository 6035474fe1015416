"""Lets tests in the folders below use the strategies and vectors beside this file."""
