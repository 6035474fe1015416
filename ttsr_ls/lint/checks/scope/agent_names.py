"""Finds names in `agents` that no agent has (spec B3)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding, Fix
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.lint.scalars import ScalarStyle, replaced_part, scalar_at, style_of
from ttsr_ls.rules.registration import Registration
from ttsr_ls.syntax.mapped_text import MappedText
from ttsr_ls.syntax.rule_file import RuleFile

_CODE = "suspicious-agent"
_NAME = r"!?[a-z0-9_*-]+"
_ALTERNATIVES = re.compile(rf"{_NAME}(?:[ \t]*\|[ \t]*{_NAME})+")
_WORDS = re.compile(rf"{_NAME}(?:[ \t]+{_NAME})+")
_ROLES = {
    "mian": "main", "mains": "main", "primary": "main", "top": "main", "top-level": "main", "root": "main",
    "parent": "main", "orchestrator": "main", "subs": "sub", "subagent": "sub", "subagents": "sub", "sub-agent": "sub",
    "sub-agents": "sub", "sub_agent": "sub", "sub_agents": "sub", "child": "sub", "children": "sub", "all": "*",
    "any": "*", "every": "*", "everyone": "*", "both": "*",
}  # fmt: skip
_PROGRAMS = frozenset((
    "aider", "claude", "claude-code", "claude_code", "cline", "codex", "copilot", "cursor", "gemini", "gemini-cli",
    "oh-my-pi", "omp", "opencode", "pi", "windsurf",
))  # fmt: skip


def check_agent_names(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports each name that is probably no agent's, and each pattern that excludes nothing."""
    agents = file.fields.agents
    for agent in agents:
        if agent.value.startswith("!") and len(agents) > 1:
            message = (
                "Names are alternatives: the rule applies to an agent if any of them matches, so this one excludes no "
                "agent and admits nearly every other agent."
            )
            yield report(_CODE, message, agent.span)
        else:
            yield from _slip(file, agent)


def _slip(file: RuleFile, agent: MappedText) -> Iterator[Finding]:
    name = agent.value
    compared = f"{code(name, 40)} is compared with agents' names as a whole"
    if _ALTERNATIVES.fullmatch(name):
        message = f"{compared}, and `|` separates no names. Write a comma."
        yield report(_CODE, message, agent.span, *_comma_fixes(file, agent, r"\|"))
    elif _WORDS.fullmatch(name):
        message = f"{compared}, and a blank separates no names. Write a comma."
        yield report(_CODE, message, agent.span, *_comma_fixes(file, agent, r"[ \t]"))
    elif name in _ROLES:
        suggestion = _ROLES[name]
        message = (
            "The session itself is `main`, a subagent without a name is `sub`; any other name is that of an agent "
            f"definition. Is `{suggestion}` meant?"
        )
        scalar = scalar_at(file, agent.span)
        # A plain `*` would begin an alias of YAML.
        needs_quotes = suggestion == "*" and scalar is not None and style_of(file, scalar) is ScalarStyle.PLAIN
        is_whole = scalar is not None and scalar.span == agent.span
        source = "'*'" if needs_quotes else suggestion
        edit = replaced_part(file, agent.span, agent.value, source) if is_whole or not needs_quotes else None
        yield report(_CODE, message, agent.span, *build_fixes(_CODE, edit, title=f"Write {suggestion}"))
    elif name in _PROGRAMS:
        message = (
            f"`{name}` is another program, not an agent: `agents` takes `main`, `sub`, and the names of agent "
            "definitions. Unless one of yours has this name, the rule applies to no agent."
        )
        yield report(_CODE, message, agent.span)


def _comma_fixes(file: RuleFile, agent: MappedText, separator: str) -> tuple[Fix, ...]:
    names = re.split(rf"[ \t]*{separator}[ \t]*", agent.value)
    edit = replaced_part(file, agent.span, agent.value, ", ".join(names))
    # In a flow list, the comma makes two items of the name, which means the same.
    return build_fixes(_CODE, edit, title="Separate the names by commas")
