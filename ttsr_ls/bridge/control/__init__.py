"""Runs an agent over its own protocol and enforces rules: interrupts the answer, injects the rule, and continues.

`driver` is the interface of an agent's protocol, and `drivers/` has one for each agent. `controller` is pure: its input
is lines of the agent, its output messages to the agent and views for the user. `running` owns the process, the clock,
and the timeouts.
"""
