"""Requests to the client's window: open a page of the manual, and show the progress of long work."""
