"""The text about rules that an agent is sent. Agents take one message of a user, so all dialects share it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from msgspec import Struct

from ttsr_ls.rules.rule import Rule
from ttsr_ls.session.lifecycle.interrupt_messages import interrupt_messages
from ttsr_ls.session.lifecycle.templates import DEFERRED, RuleText, Templates, render_template, shown_path

GO_ON = "Go on."
"""What an interrupted agent is sent where the injection could not be recorded: without a message it would stop."""


class DisplayRoots(Struct, frozen=True):
    """The folders that the paths of rules are shown from; both are absolute."""

    cwd: PurePath
    home: PurePath


def interrupt_text(rules: Iterable[Rule], roots: DisplayRoots) -> str:
    """For rules that cut the answer off."""
    texts = [(rule, _rule_text(rule, roots)) for rule in rules]
    return "\n\n".join(injection.text for injection in interrupt_messages(texts, Templates()))


def deferred_text(rules: Iterable[Rule], roots: DisplayRoots) -> str:
    """For rules that did not cut the answer off, or whose tool call ran."""
    return render_template(DEFERRED, (_rule_text(rule, roots) for rule in rules))


def _rule_text(rule: Rule, roots: DisplayRoots) -> RuleText:
    return RuleText(rule.name, shown_path(rule.path, roots.cwd, roots.home), rule.body)
