"""The task list of a session: values, the tools that change it, and when its model is reminded of it. Pure."""
