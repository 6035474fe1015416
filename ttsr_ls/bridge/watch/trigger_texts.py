"""The rules of triggers: their names, the texts about them for an agent, and their context mode. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from ttsr_ls.bridge.watch.notices import TriggerNotice
from ttsr_ls.rules.settings.settings import ContextMode, Settings
from ttsr_ls.session.lifecycle.rule_state import RuleRef
from ttsr_ls.session.lifecycle.templates import render_template, rule_text


def rule_names_of(triggers: Iterable[TriggerNotice]) -> tuple[str, ...]:
    """Returns the names of the rules that fired, each once."""
    return tuple(dict.fromkeys(trigger.rule.name for trigger in triggers))


def rule_refs_of(triggers: Iterable[TriggerNotice]) -> tuple[RuleRef, ...]:
    """Returns the rules that fired, each once. Several may have one name."""
    return tuple(dict.fromkeys(RuleRef(trigger.rule.name, trigger.rule.path) for trigger in triggers))


def render_triggers(template: str, triggers: Iterable[TriggerNotice], cwd: PurePath, home: PurePath) -> str:
    """Returns the text for the rules that fired, each once. `cwd` and `home` are the folders that paths abbreviate."""
    rules = {RuleRef(trigger.rule.name, trigger.rule.path): trigger.rule for trigger in triggers}
    return render_template(template, (rule_text(rule, cwd, home) for rule in rules.values()))


def context_mode_of(triggers: Iterable[TriggerNotice], settings: Settings) -> ContextMode:
    """Returns whether the answer is kept in the context, or discarded because one of these rules discards it."""
    modes = (trigger.rule.profile.context_mode or settings.context_mode for trigger in triggers)
    return ContextMode.DISCARD if ContextMode.DISCARD in modes else ContextMode.KEEP
