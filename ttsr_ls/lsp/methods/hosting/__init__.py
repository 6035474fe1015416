"""Notifications of editor plugins that host an agent."""
