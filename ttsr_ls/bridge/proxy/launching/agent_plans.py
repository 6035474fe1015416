"""The agents that can be run behind the proxy."""

from __future__ import annotations

from collections.abc import Callable

from ttsr_ls.bridge.proxy.launching.claude_launch import claude_plan
from ttsr_ls.bridge.proxy.launching.launch_plan import LaunchPlan, LaunchRequest

PLANS: dict[str, Callable[[LaunchRequest], LaunchPlan]] = {
    "claude": claude_plan,
}
"""The plan for each agent, by its name."""
