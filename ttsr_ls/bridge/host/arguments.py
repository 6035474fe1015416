"""Checks the arguments that a host passes to a session.

A value of a wrong type would otherwise get into the history, and make every later request fail. An option of a wrong
type could be ignored silently.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar, get_args

from msgspec import Struct

from ttsr_ls.bridge.host.clock import Clock
from ttsr_ls.bridge.host.logs import OpenLog
from ttsr_ls.bridge.host.recorder import LogFailurePolicy
from ttsr_ls.bridge.rules.reloading_rules import ReloadingRules
from ttsr_ls.errors import UsageError
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.session.history.request_limits import RequestLimits
from ttsr_ls.session.history.turn import RehydratedFile, TurnTrigger, UserInput
from ttsr_ls.session.history.turn_events import CallDone, CallRefused
from ttsr_ls.session.history.turn_output import Image
from ttsr_ls.session.history.usage import Usage
from ttsr_ls.session.hooks.contract import Feature
from ttsr_ls.session.hooks.declared_types import has_declared_types
from ttsr_ls.session.hooks.feature_check import find_feature_mistake
from ttsr_ls.session.lifecycle.noise_budget import NoiseGate
from ttsr_ls.session.lifecycle.templates import Templates
from ttsr_ls.session.projection.system_messages import SystemMessages
from ttsr_ls.session.projection.trimming import Trimming
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect

_Kind = TypeVar("_Kind")

_TRIGGERS: tuple[type, ...] = get_args(TurnTrigger)

_NONE = type(None)

_OPTIONS: dict[str, tuple[tuple[type, ...], str]] = {
    "rules": (
        (str, Path, RuleSet, RulesByDialect, ReloadingRules, Iterable),
        "paths of files and folders, or a RuleSet",
    ),
    "project": ((str, Path, _NONE), "a path"),
    "log": ((str, Path, OpenLog, _NONE), "a path"),
    "settings": ((Settings, _NONE), "a value of type Settings"),
    "agent": ((str,), "a name"),
    "matching": ((Matching,), "a member of Matching"),
    "cwd": ((str, Path, _NONE), "a path"),
    "templates": ((Templates, _NONE), "a value of type Templates"),
    "on_log_failure": ((LogFailurePolicy,), "a member of LogFailurePolicy"),
    "clock": ((Clock, _NONE), "a value of type Clock"),
    "limits": ((RequestLimits,), "a value of type RequestLimits"),
    "noise_gate": ((NoiseGate, _NONE), "a value of type NoiseGate"),
    "system_messages": ((SystemMessages, _NONE), "a member of SystemMessages"),
}
"""The options of `Session.open`: their types, and the description of these for messages."""

_WITH_CHECKED_FIELDS = (Settings, Templates, RequestLimits)
"""The types of options whose fields are checked: they hold only numbers, strings, and enum members."""


def check_options(**options: object) -> None:
    """Raises UsageError if an option of `Session.open` has a value of a wrong type."""
    for name, value in options.items():
        kinds, expected_text = _OPTIONS[name]
        _check_type(name, value, kinds, expected_text)
        if value == "":
            raise UsageError(f"`{name}` is empty; give it {expected_text}, or leave it out")
        if isinstance(value, _WITH_CHECKED_FIELDS):
            _check_fields(name, value)
    cwd = options.get("cwd")
    if isinstance(cwd, str | Path) and not _can_name_a_file(cwd):
        raise UsageError("`cwd` has a character that no folder can have in its name")
    rules = options.get("rules")
    if isinstance(rules, list | tuple | set | frozenset):
        for path in rules:
            _check_type("rules", path, (str, Path), "paths of files and folders, or a RuleSet, and hold paths alone")


def checked_features(features: Iterable[Feature]) -> tuple[Feature, ...]:
    """Returns `features` as a tuple. Raises UsageError unless each is a Feature that a session can use."""
    found = _checked_tuple("features", features, Feature)
    for feature in found:
        mistake = find_feature_mistake(feature)
        if mistake is not None:
            raise UsageError(f"the feature {type(feature).__name__} in `features` cannot be used: {mistake}")
    return found


def checked_trigger(prompt: str | None, images: Iterable[Image], trigger: TurnTrigger | None) -> TurnTrigger:
    """Returns the trigger of a turn: a prompt with images, or `trigger`. Raises UsageError unless one is set."""
    if (prompt is None) == (trigger is None):
        raise UsageError("a turn has either a prompt or another trigger")
    pictures = _checked_tuple("images", images, Image)
    if trigger is None:
        _check_type("prompt", prompt, (str,), "text")
        if not str(prompt).strip() and not pictures:
            raise UsageError("the prompt is empty; give it text, or images, or begin the turn with a trigger")
        return UserInput(str(prompt), pictures)
    names = ", ".join(kind.__name__ for kind in _TRIGGERS)
    _check_type("trigger", trigger, _TRIGGERS, f"a value of one of the types {names}")
    _check_fields("trigger", trigger)
    return trigger


def check_result(state: CallDone | CallRefused) -> None:
    """Raises UsageError unless the result of a tool call is text with images."""
    if not has_declared_types(state):
        raise UsageError("the result of a tool call must be text, and its `images` values of type Image")


def check_summary(summary: str, tool: str, acknowledgement: str, usage: Usage | None) -> None:
    """Raises UsageError unless all are text and the summary, which replaces the whole history, is not blank."""
    for name, value in (("summary", summary), ("tool", tool), ("acknowledgement", acknowledgement)):
        _check_type(name, value, (str,), "text")
        if not value.strip():
            raise UsageError(f"`{name}` is empty; give it text")
    _check_type("usage", usage, (Usage, _NONE), "a value of type Usage")
    if usage is not None:
        _check_fields("usage", usage)


def check_request(text: str, trimming: Trimming | None) -> None:
    """Raises UsageError for an invalid trimming, or a `text` that is not a string or blank, which APIs refuse."""
    check_trimming(trimming)
    _check_type("text", text, (str,), "text")
    if not text.strip():
        raise UsageError("`text` is empty; give it the host's last message")


def check_trimming(trimming: Trimming | None) -> None:
    """Raises UsageError unless both numbers of a Trimming are whole and not negative."""
    _check_type("trimming", trimming, (Trimming, _NONE), "a value of type Trimming, or None")
    if trimming is None:
        return
    _check_fields("trimming", trimming)
    if min(trimming.answers_kept, trimming.longest_result) < 0:
        raise UsageError("`trimming` has a negative number; each must be 0 or more")


def checked_files(files: Iterable[RehydratedFile]) -> tuple[RehydratedFile, ...]:
    """Returns `files` as a tuple. Raises UsageError unless each is a RehydratedFile."""
    return _checked_tuple("files", files, RehydratedFile)


def _can_name_a_file(path: str | Path) -> bool:
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def _check_type(name: str, value: object, kinds: tuple[type, ...], expected_text: str) -> None:
    if not isinstance(value, kinds):
        type_name = f"the class {value.__name__}" if isinstance(value, type) else type(value).__name__
        raise UsageError(f"`{name}` must be {expected_text}, not {type_name}")


def _check_fields(name: str, value: Struct) -> None:
    if not has_declared_types(value):
        raise UsageError(f"`{name}` is a {type(value).__name__} with a field of a wrong type")


def _checked_tuple(name: str, values: Iterable[_Kind], kind: type[_Kind]) -> tuple[_Kind, ...]:
    _check_type(name, values, (Iterable,), f"a sequence of {kind.__name__}")
    found = tuple(values)
    for value in found:
        _check_type(name, value, (kind,), f"a sequence of {kind.__name__} alone")
        if isinstance(value, Struct):
            _check_fields(name, value)
    return found
