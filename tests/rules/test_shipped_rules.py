"""The shipped rules fire on each invalid case of their test files and on no valid one, however the text is streamed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from ttsr_ls.ide.trial.rule_trial import Streaming, run_trial, stream_context
from ttsr_ls.rules.providers import BUILTIN_RULES
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.settings.settings import Matching
from ttsr_ls.rules.stream import Source
from ttsr_ls.store.discovery.local_rules import load_rule
from ttsr_ls.store.discovery.shipped_rules import shipped_rules

RULES = sorted(shipped_rules().glob("*.md"))
DEFAULT_PATHS = {"go": "server.go", "py": "shop.py", "ts": "cart.ts", "prose": None}


@cache
def load(path: Path) -> Rule:
    rule = load_rule(path, "shipped").registration.rule
    assert isinstance(rule, Rule)
    return rule


def cases(path: Path) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = yaml.safe_load(path.with_suffix(".test.yml").read_text("utf-8"))
    return found


def all_cases() -> Iterator[Any]:
    for path in RULES:
        for kind, of_kind in cases(path).items():
            for number, case in enumerate(of_kind):
                yield pytest.param(path, kind == "invalid", case, id=f"{path.stem}-{kind}-{number}")


def fires(rule: Rule, case: dict[str, Any], tool: str, matching: Matching, chunk: int | None) -> bool:
    source = Source(case.get("source", "tool"))
    path = case.get("path", DEFAULT_PATHS[rule.name.partition("-")[0]])
    context = stream_context(source, tool, (path,) if path else ())
    return bool(run_trial([rule], case["text"], context, Streaming(matching=matching, chunk=chunk)).fired)


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_a_shipped_rule_has_enough_cases_of_both_kinds(path: Path) -> None:
    found = cases(path)
    assert set(found) == {"valid", "invalid"}
    assert all(len(of_kind) >= 5 for of_kind in found.values())


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_a_shipped_rule_replaces_no_built_in_rule_of_the_reference_agent(path: Path) -> None:
    assert BUILTIN_RULES
    assert path.stem not in BUILTIN_RULES


@pytest.mark.parametrize(("path", "expected", "case"), [*all_cases()])
@pytest.mark.parametrize("matching", Matching)
def test_a_shipped_rule_fires_on_invalid_cases_only(
    path: Path, expected: bool, case: dict[str, Any], matching: Matching
) -> None:
    rule = load(path)
    for tool, chunk in (("edit", None), ("write", 1)):
        assert fires(rule, case, tool, matching, chunk) is expected, (tool, chunk)
