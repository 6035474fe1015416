"""What features may do at each hook, and the checks of what they return (spec Y)."""
