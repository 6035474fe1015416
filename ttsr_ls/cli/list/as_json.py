"""Prints rules as JSON for `list`: the fields of the reference's `ttsr list --json` (spec Q1), and more."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ttsr_ls.cli.list.rule_status import ListedRule, RuleStatus
from ttsr_ls.rules.dialects.dialect_profile import OMP
from ttsr_ls.rules.registration import Registration
from ttsr_ls.store.discovery.local_rules import LoadedRule
from ttsr_ls.syntax.pi.rule_file import PiRuleFile
from ttsr_ls.syntax.rule_file import RuleFile

_NO_FIELDS: dict[str, Any] = {"condition": [], "astCondition": [], "scope": [], "globs": [], "agents": []}


def active_rules_json(rules: Sequence[ListedRule]) -> list[dict[str, Any]]:
    """Returns the JSON objects of the rules that are matched against the stream."""
    return [_fields(each.rule) for each in rules if each.standing is RuleStatus.TTSR]


def rule_json(each: ListedRule) -> dict[str, Any]:
    """Returns the JSON object of a rule, with its status in fields that the reference does not have."""
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
    return {
        "name": loaded.found.name,
        "path": str(loaded.found.path),
        "provider": loaded.found.provider,
        "dialect": str(loaded.profile.id),
        **loaded.by_dialect(omp=_omp, omp_legacy=_omp_legacy, pi=_pi),
    }


def _omp(file: RuleFile, _: Registration) -> dict[str, Any]:
    fields = file.fields
    shown: dict[str, Any] = {
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


def _omp_legacy(_: RuleFile, registration: Registration) -> dict[str, Any]:
    texts = () if registration.rule is None else registration.rule.condition_texts
    return {**_NO_FIELDS, "condition": list(texts), "scope": ["text", "tool"]}


def _pi(file: PiRuleFile, _: Registration) -> dict[str, Any]:
    conditions = [] if file.trigger is None else [file.trigger.value]
    own = {
        "flags": file.flags,
        "scope": str(file.scope),
        "maxFirings": _number(file.max_firings),
        "cooldown": _number(file.cooldown),
    }
    return {**_NO_FIELDS, "condition": conditions, "scope": ["text"], "pi": own}


def _number(value: float) -> float | None:
    """NaN and infinity as null, because JSON has neither: both limit nothing."""
    return value if math.isfinite(value) else None
