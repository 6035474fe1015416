"""The reference agent's glob language (spec G3): parsing, matching in bounded time, and comparison."""
