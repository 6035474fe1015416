"""Checks the result of a feature completely, before the host uses it.

Types declare valid results, but foreign code may return anything. A valid result contains only events that a feature
may record, each under its own name, and no value that cannot be written to a log or sent to a model.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard, TypeVar, get_args

from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.session.history.turn_events import FeatureRecorded
from ttsr_ls.session.hooks.authority import Authority
from ttsr_ls.session.hooks.contract import (
    Append,
    ChangeInput,
    Deny,
    FollowUp,
    Interrupt,
    Note,
    Prepend,
    Proceed,
    RecordableEvent,
    Resume,
)
from ttsr_ls.session.hooks.declared_types import has_declared_types
from ttsr_ls.session.hooks.feature_tools import ToolDone, ToolFailed
from ttsr_ls.session.hooks.system_items import SystemItem
from ttsr_ls.session.lifecycle.pending_injection import PendingInjection
from ttsr_ls.session.projection.wire_values import json_object

MAX_WAIT = 60.0
"""The longest delay of a retry that a feature may set, in seconds."""

MAX_CONTENT = 1024 * 1024
"""The most characters of one record of a feature."""

_RECORDABLE = get_args(RecordableEvent)

_Kind = TypeVar("_Kind")


def find_mistake(feature_name: str, authority: Authority, allowed: tuple[type, ...], result: object) -> str | None:
    """Returns the first mistake in a result of the feature with that name, where those types are allowed; None if it is
    valid.
    """
    if type(result) is Proceed and Proceed in allowed:
        return None  # The result for nearly every chunk of an answer.
    # Exact types only: the fields of a subclass could change between the check and their use.
    if type(result) not in allowed:
        return f"it returned {type(result).__name__}, which is not allowed here"
    recordable = _RECORDABLE if authority is Authority.RULES else (FeatureRecorded,)
    mistake = next(_mistakes(feature_name, recordable, result), None)
    if mistake is None and authority is not Authority.RULES and _injects_rules(result):
        return "it tried to inject rules, which only the feature of the rules may do"
    return mistake


def _injects_rules(result: object) -> bool:
    """Returns whether the result would mark a rule as injected."""
    match result:
        case Append():
            return any(item._injection.rules for item in result.items)
        case FollowUp() | Resume():
            return any(injection.rules for injection in result.injections)
        case Prepend():
            return bool(result.rules)
    return False


def _mistakes(feature_name: str, recordable: tuple[type, ...], result: object) -> Iterator[str]:
    match result:
        case Append():
            if not _is_tuple_of(result.items, SystemItem):
                yield "it appended an item that the handle of this request did not create"
            else:  # The handle does not check the types of what it is given.
                yield from _injection_mistakes(tuple(getattr(item, "_injection", None) for item in result.items))
            yield from _record_mistakes(feature_name, result.records, (FeatureRecorded,))
        case Note():
            yield from _record_mistakes(feature_name, result.records, recordable)
        case Interrupt():
            yield from _rule_name_mistakes(result.rules)
            if type(result.context) is not ContextMode or type(result.call) not in (str, type(None)):
                yield "its interrupt has a field of a wrong type"
            yield from _record_mistakes(feature_name, result.records, recordable)
        case Deny():
            yield from _text_type_mistakes(result.message)
            if type(result.message) is str and not result.message.strip():
                yield "it denied a tool call without a message for the model"
            yield from _record_mistakes(feature_name, result.records, (FeatureRecorded,))
        case ChangeInput():
            yield from _argument_mistakes(result.arguments)
            yield from _record_mistakes(feature_name, result.records, (FeatureRecorded,))
        case Prepend():
            yield from _text_type_mistakes(result.text)
            yield from _rule_name_mistakes(result.rules)
            yield from _record_mistakes(feature_name, result.records, (FeatureRecorded,))
        case FollowUp():
            yield from _injection_mistakes(result.injections)
            yield from _record_mistakes(feature_name, result.records, (FeatureRecorded,))
        case Resume():
            yield from _injection_mistakes(result.injections)
            if type(result.after) not in (int, float) or not 0 <= result.after <= MAX_WAIT:
                yield f"its delay of the retry is not from 0 to {MAX_WAIT:g} seconds"
        case ToolDone() | ToolFailed():
            yield from _text_type_mistakes(result.text)
            yield from _record_mistakes(feature_name, result.records, (FeatureRecorded,))


def _record_mistakes(feature_name: str, records: object, allowed: tuple[type, ...]) -> Iterator[str]:
    if type(records) is not tuple:
        yield "its records are not a tuple"
        return
    for record in records:
        if type(record) not in allowed:
            yield f"it tried to record {type(record).__name__}, which no feature may record"
        elif not has_declared_types(record):
            yield f"a field of its {type(record).__name__} has a wrong type"
        elif isinstance(record, FeatureRecorded):
            if record.feature != feature_name:
                yield f"it tried to record an event of the feature {record.feature}"
            elif len(record.content) > MAX_CONTENT:
                yield f"one of its records has more than {MAX_CONTENT} characters"


def _injection_mistakes(injections: object) -> Iterator[str]:
    if not _is_tuple_of(injections, PendingInjection) or not all(map(has_declared_types, injections)):
        yield "it tried to inject a value that is not a PendingInjection"


def _text_type_mistakes(text: object) -> Iterator[str]:
    if type(text) is not str:
        yield f"its text has the type {type(text).__name__}"


def _argument_mistakes(arguments: object) -> Iterator[str]:
    if type(arguments) is not str:
        yield f"its arguments have the type {type(arguments).__name__} instead of JSON text"
    elif len(arguments) > MAX_CONTENT:
        yield f"its arguments have more than {MAX_CONTENT} characters"
    else:
        try:
            json_object(arguments)
        except ValueError as error:
            yield f"its arguments are no JSON object: {error}"


def _rule_name_mistakes(rules: object) -> Iterator[str]:
    if not _is_tuple_of(rules, str):
        yield "its rules are not names"


def _is_tuple_of(value: object, kind: type[_Kind]) -> TypeGuard[tuple[_Kind, ...]]:
    return type(value) is tuple and all(type(item) is kind for item in value)
