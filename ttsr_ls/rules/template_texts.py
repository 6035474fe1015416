"""The texts that a template of a new rule leaves to its author. The linter reports them."""

TEMPLATE_CONDITION = "what the agent must not write"
TEMPLATE_BODY = "Say what is wrong with that, and what to do instead. The agent reads this only when the rule fires."
