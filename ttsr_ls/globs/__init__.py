"""The reference agent's glob language (spec G3): parsed, matched in bounded time, and compared."""
