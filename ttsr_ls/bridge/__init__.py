"""Connects agents to the engine: adapters that convert an agent's output to stream events, and drivers."""
