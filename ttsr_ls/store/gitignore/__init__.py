"""Which files git ignores, as the reference agent's folder listing sees it (semantics.md 1.12)."""
