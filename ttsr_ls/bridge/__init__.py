"""Connects agents to the engine: adapters that convert an agent's output to stream events, and drivers.

- `adapters/` reads the output of agents, `wire/` the streams of providers; `model/` has the HTTP clients for models.
- `rules/` loads the rules of sessions, and again when their files change.
- `watch/` observes an agent from outside; `control/` runs one over its protocol and interrupts it.
- `agent_hooks/` is the hook server, with the hooks in agents' settings that call it.
- `host/` is the embedded session, `proxy/` the proxy between an agent and its model, `mcp/` the task list by MCP.
- `public` has the names that `ttsr_ls` exports.
"""
