"""Requests to the client's window: opening a page of the manual, and showing the progress of long work."""
