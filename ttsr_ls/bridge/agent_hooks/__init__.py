"""Enforces rules in unmodified agents through their hooks: denies tool calls, and adds reminders to results.

`contract` reads and writes what each agent's hooks say, `hook_session` decides, `server` serves all agents of a user.
"""
