"""The task list as a feature: values, the tools that change it, and the reminder (spec Y5, Y6)."""
