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
    return [_fields(rule.rule) for rule in rules if rule.status is RuleStatus.TTSR]


def rule_json(rule: ListedRule) -> dict[str, Any]:
    """Returns the JSON object of a rule, with its status in fields that the reference does not have."""
    ignored = rule.rule.found.ignored_by
    mode = rule.rule.file.fields.interrupt_mode if rule.rule.profile is OMP else None
    return {
        **_fields(rule.rule),
        "interruptMode": mode,
        "level": str(rule.rule.found.level),
        "bucket": str(rule.status),
        "why": rule.why,
        "shadowedBy": rule.shadowed_by,
        "ignoredBy": None
        if ignored is None
        else {"path": str(ignored.path), "line": ignored.line, "pattern": ignored.pattern},
    }


def _fields(rule: LoadedRule) -> dict[str, Any]:
    return {
        "name": rule.found.name,
        "path": str(rule.found.path),
        "provider": rule.found.provider,
        "dialect": str(rule.profile.id),
        **rule.by_dialect(omp=_omp, omp_legacy=_omp_legacy, pi=_pi),
    }


def _omp(file: RuleFile, _: Registration) -> dict[str, Any]:
    fields = file.fields
    json_fields: dict[str, Any] = {
        "condition": [text.value for text in fields.conditions],
        "astCondition": [text.value for text in fields.ast_conditions],
    }
    if fields.question is not None:
        json_fields["question"] = fields.question.value
    json_fields["scope"] = [token.text.value for token in fields.scope]
    json_fields["globs"] = [text.value for text in fields.globs]
    json_fields["agents"] = [text.value for text in fields.agents]
    if fields.description is not None:
        json_fields["description"] = fields.description
    return json_fields


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
