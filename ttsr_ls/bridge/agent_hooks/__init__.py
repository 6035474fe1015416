"""Enforces rules in unmodified agents through their hooks: denies tool calls, and adds reminders to results.

`contract` reads calls of hooks and writes their answers, `hook_session` decides, `server` serves all agents of a user.
"""
