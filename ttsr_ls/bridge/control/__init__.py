"""Runs an agent over its own protocol and enforces rules: interrupts an answer, injects the rule, has it tried again.

`driver` is what the controller knows of an agent, `drivers/` has one for each. `controller` is pure: lines of the agent
in, messages to the agent and views for people out. `running` owns the process, the clock and the timeouts.
"""
