"""Tests with real agents. They are part of a run where the environment names the agents (`.ci/run` does), else not.

`TTSR_CLAUDE` is a Claude Code, `TTSR_CODEX` a Codex, `TTSR_OPENCODE` an opencode, `TTSR_PI` a pi, `TTSR_OMP` an
oh-my-pi, `TTSR_GEMINI` a Gemini CLI, `TTSR_COPILOT` a Copilot CLI. Each is given a scripted model on loopback and a
home of its own: no key, no network.
"""

import os

NEEDED = {
    "test_acp_relay_with_agents.py": ("TTSR_OMP", "TTSR_OPENCODE"),
    "test_claude_code.py": ("TTSR_CLAUDE",),
    "test_claude_plugin.py": ("TTSR_CLAUDE",),
    "test_claude_tasks.py": ("TTSR_CLAUDE",),
    "test_codex_hook_trust.py": ("TTSR_CODEX",),
    "test_codex_interface.py": ("TTSR_CODEX",),
    "test_codex_subagents.py": ("TTSR_CODEX",),
    "test_copilot_hooks.py": ("TTSR_COPILOT",),
    "test_driven_agents.py": ("TTSR_CLAUDE", "TTSR_CODEX", "TTSR_OPENCODE", "TTSR_PI", "TTSR_OMP"),
    "test_driven_gemini.py": ("TTSR_GEMINI",),
    "test_gemini_hooks.py": ("TTSR_GEMINI",),
    "test_installed_hooks.py": ("TTSR_CLAUDE", "TTSR_CODEX"),
    "test_omp_subagents.py": ("TTSR_OMP",),
    "test_proxied_agents.py": ("TTSR_CLAUDE", "TTSR_CODEX", "TTSR_OPENCODE", "TTSR_PI"),
    "test_proxied_gemini.py": ("TTSR_GEMINI",),
    "test_proxied_long_session.py": ("TTSR_CLAUDE",),
    "test_proxied_subagents.py": ("TTSR_CLAUDE",),
}
collect_ignore = [name for name, needed in NEEDED.items() if not all(map(os.environ.get, needed))]
