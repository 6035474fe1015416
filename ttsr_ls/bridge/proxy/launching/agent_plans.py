"""The agents that can be run behind the proxy."""

from __future__ import annotations

from collections.abc import Callable

from ttsr_ls.bridge.proxy.launching.claude_launch import claude_plan
from ttsr_ls.bridge.proxy.launching.codex_launch import codex_plan
from ttsr_ls.bridge.proxy.launching.gemini_launch import gemini_plan
from ttsr_ls.bridge.proxy.launching.launch_plan import LaunchPlan, LaunchRequest
from ttsr_ls.bridge.proxy.launching.opencode_launch import opencode_plan
from ttsr_ls.bridge.proxy.launching.pi_launch import pi_plan

PLANS: dict[str, Callable[[LaunchRequest], LaunchPlan]] = {
    "claude": claude_plan,
    "codex": codex_plan,
    "gemini": gemini_plan,
    "opencode": opencode_plan,
    "pi": pi_plan,
}
"""The plan for each agent, by its name."""
