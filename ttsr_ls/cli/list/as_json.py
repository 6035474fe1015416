"""How `list` prints rules as JSON: the fields of the reference's `ttsr list --json` (spec Q1), and more."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ttsr_ls.cli.list.rule_status import ListedRule, RuleStatus
from ttsr_ls.rules.dialects.dialect_profile import OMP
from ttsr_ls.store.discovery.local_rules import LoadedRule
from ttsr_ls.syntax.pi.rule_file import PiRuleFile


def watching(rules: Sequence[ListedRule]) -> list[dict[str, Any]]:
    """The rules that apply to the stream."""
    return [_fields(each.rule) for each in rules if each.standing is RuleStatus.TTSR]


def in_full(each: ListedRule) -> dict[str, Any]:
    """A rule with what became of it, which are fields of ours."""
    ignored = each.rule.found.ignored_by
    mode = each.rule.file.fields.interrupt_mode if each.rule.profile is OMP else None
    return {
        **_fields(each.rule),
        "interruptMode": mode,
        "level": str(each.rule.found.level),
        "bucket": str(each.standing),
        "why": each.why,
        "shadowedBy": each.shadowed_by,
        "ignoredBy": None
        if ignored is None
        else {"path": str(ignored.path), "line": ignored.line, "pattern": ignored.pattern},
    }


def _fields(loaded: LoadedRule) -> dict[str, Any]:
    if loaded.pi is not None:
        trigger = loaded.pi.trigger
        conditions = [] if trigger is None else [trigger.value]
        return {**_plain(loaded, conditions, ["text"]), "pi": _pi(loaded.pi)}
    if loaded.profile is OMP:
        return _omp(loaded)
    texts = () if loaded.rule is None else loaded.rule.condition_texts
    return _plain(loaded, list(texts), ["text", "tool"])


def _omp(loaded: LoadedRule) -> dict[str, Any]:
    fields = loaded.file.fields
    shown: dict[str, Any] = {
        "name": loaded.file.name,
        "path": loaded.file.path,
        "provider": loaded.registration.provider,
        "dialect": str(loaded.profile.id),
        "condition": [text.value for text in fields.conditions],
        "astCondition": [text.value for text in fields.ast_conditions],
    }
    if fields.question is not None:
        shown["question"] = fields.question.value
    shown["scope"] = [token.text.value for token in fields.scope]
    shown["globs"] = [text.value for text in fields.globs]
    shown["agents"] = [text.value for text in fields.agents]
    if fields.description is not None:
        shown["description"] = fields.description
    return shown


def _plain(loaded: LoadedRule, conditions: list[str], scope: list[str]) -> dict[str, Any]:
    return {
        "name": loaded.found.name,
        "path": str(loaded.found.path),
        "provider": loaded.found.provider,
        "dialect": str(loaded.profile.id),
        "condition": conditions,
        "astCondition": [],
        "scope": scope,
        "globs": [],
        "agents": [],
    }


def _pi(file: PiRuleFile) -> dict[str, Any]:
    return {
        "flags": file.flags,
        "scope": str(file.scope),
        "maxFirings": _number(file.max_firings),
        "cooldown": _number(file.cooldown),
    }


def _number(value: float) -> float | None:
    """NaN and infinity as null, because JSON has neither: both limit nothing."""
    return value if math.isfinite(value) else None
