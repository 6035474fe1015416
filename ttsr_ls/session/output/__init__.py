"""What agents put out, whichever agent it is: events, streams, and what tool calls mean to rules (spec T)."""
