"""What the server asks of the client's window: pages of the manual, and progress of long work."""
