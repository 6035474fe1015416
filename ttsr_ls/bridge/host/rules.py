"""The rules of a session: read from files and folders that the host names, or given as they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec.structs import replace

from ttsr_ls.engine.rule_set import RuleSet
from ttsr_ls.engine.session_rules import SessionRules, compose
from ttsr_ls.engine.settings import Settings
from ttsr_ls.engine.unregistered import broken_ast_conditions, refused_rules
from ttsr_ls.isolation.pattern_shapes import CheckedPatterns
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


def with_ast_problems(rules: SessionRules) -> SessionRules:
    """The rules, with the AST conditions that never match among their problems.

    Starts a process that parses, and ends it, if a rule has such conditions. It is not that of the session, so that
    patterns on which it fails do not use up how often that one may fail.
    """
    if not any(rule.ast_conditions for rule in rules.rules):
        return rules
    with CheckedPatterns() as patterns:
        found = tuple(broken_ast_conditions(rules.rules, patterns))
    return replace(rules, problems=(*rules.problems, *found))


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    yield from sorted(file for file in path.iterdir() if file.suffix in _SUFFIXES and not file.name.startswith("."))
