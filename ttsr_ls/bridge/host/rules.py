"""The rules of a session: read from files and folders that the host names, or given as they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ttsr_ls.engine.rule_set import RuleSet
from ttsr_ls.engine.session_rules import SessionRules, compose
from ttsr_ls.engine.settings import Settings
from ttsr_ls.engine.unregistered import refused_rules
from ttsr_ls.store.discovery import EXTRA_PROVIDER
from ttsr_ls.store.rules_here import load_rule

Rules = Iterable[Path] | RuleSet | SessionRules

_SUFFIXES = frozenset({".md", ".mdc"})


def rules_of(given: Rules, settings: Settings, agent: str) -> SessionRules:
    """The rules that watch `agent`. Raises RuleUnreadableError."""
    if isinstance(given, SessionRules):
        return given
    if isinstance(given, RuleSet):
        return SessionRules(omp=given, problems=tuple(refused_rules(given)))
    loaded = [load_rule(file, EXTRA_PROVIDER) for path in given for file in _files(path)]
    return compose((rule.registration for rule in loaded), settings, agent)


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    yield from sorted(file for file in path.iterdir() if file.suffix in _SUFFIXES and not file.name.startswith("."))
