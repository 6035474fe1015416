"""Rules in agents that nobody changed, through their own hooks: a tool call is denied, a result gets a reminder.

`contract` reads and writes what each agent's hooks say, `hook_session` decides, `server` serves all agents of a user.
"""
