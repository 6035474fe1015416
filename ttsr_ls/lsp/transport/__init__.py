"""Messages between client and server: framing, protocol, and the client's process."""
