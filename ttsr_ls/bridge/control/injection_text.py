"""The text about rules that an agent is sent. Agents take one message of a user, so all dialects share it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from msgspec import Struct

from ttsr_ls.rules.rule import Rule
from ttsr_ls.session.lifecycle.interrupt_messages import interrupt_messages
from ttsr_ls.session.lifecycle.templates import DEFERRED, Templates, render_template, rule_text

GO_ON = "Go on."
"""The prompt after an interrupt whose injection could not be recorded: without a prompt the agent would stop."""


class DisplayRoots(Struct, frozen=True):
    """The folders that the paths of rules are shown from; both are absolute."""

    cwd: PurePath
    home: PurePath


def interrupt_text(rules: Iterable[Rule], roots: DisplayRoots) -> str:
    """Returns the text about rules that interrupted the answer."""
    texts = [(rule, rule_text(rule, roots.cwd, roots.home)) for rule in rules]
    return "\n\n".join(injection.text for injection in interrupt_messages(texts, Templates()))


def deferred_text(rules: Iterable[Rule], roots: DisplayRoots) -> str:
    """Returns the text about rules that did not interrupt the answer, or whose tool call ran."""
    return render_template(DEFERRED, (rule_text(rule, roots.cwd, roots.home) for rule in rules))
