"""Models at endpoints: what is sent to them, how their streams are read off the wire, and what can go wrong."""
