"""Checks JSON values against the types of the protocol's meta-model, of which `lsprotocol` is generated.

`lsprotocol` itself reads leniently: unknown properties, null for an absent property and numbers out of range pass.
"""

from __future__ import annotations

import enum
import typing
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, Union

import attrs
from lsprotocol import types

Check = Callable[[object, str, list[str]], None]
"""Appends what is wrong with a value; the string says where the value is in its message."""

# Properties that may be null, or be absent. Others that may be null have to be there.
_OPTIONAL_AND_NULLABLE = {
    "InitializeParams.workspace_folders",
    "InitializeParams.root_path",
    "_InitializeParams.root_path",
    "SignatureHelp.active_parameter",
    "SignatureInformation.active_parameter",
    "WorkspaceFoldersInitializeParams.workspace_folders",
}
_SCALARS = {str: "a string", bool: "a boolean", int: "an integer", float: "a number"}


def find_problems(value: object, protocol_type: Any, where: str = "") -> list[str]:
    """What is wrong with a JSON value that should be of a type of `lsprotocol`; empty where nothing is."""
    problems: list[str] = []
    check_of(protocol_type)(value, where, problems)
    return problems


@cache
def check_of(expected: Any) -> Check:
    """The check of a type."""
    if expected is Any or expected is object:
        return _accept
    if expected is None or expected is type(None):
        return _check_null
    if expected in _SCALARS:
        return _scalar(expected)
    origin = typing.get_origin(expected)
    arguments = typing.get_args(expected)
    if origin is Union:
        return _union([check_of(argument) for argument in arguments])
    if origin is Literal:
        return _one_of(arguments)
    if origin is tuple:
        return _sequence(check_of(arguments[0]), None if arguments[1:] == (...,) else len(arguments))
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return _sequence(check_of(arguments[0]), None)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(check_of(arguments[1]))
    if isinstance(expected, type) and issubclass(expected, enum.Enum):
        return _one_of(tuple(member.value for member in expected))
    if expected is types.LSPObject:
        return _mapping(_accept)
    if attrs.has(expected):
        return _structure(expected)
    if isinstance(expected, typing.ForwardRef):
        return check_of(getattr(types, expected.__forward_arg__))
    raise TypeError(f"no check of {expected!r}")


def json_name(name: str) -> str:
    """The name in JSON of an attribute of `lsprotocol`."""
    first, *rest = name.removesuffix("_").split("_")
    return first + "".join(part.title() for part in rest)


def _accept(value: object, where: str, problems: list[str]) -> None:
    """Accepts every JSON value."""


def _check_null(value: object, where: str, problems: list[str]) -> None:
    if value is not None:
        problems.append(f"{where}: {_shown(value)} instead of null")


def _scalar(expected: type) -> Check:
    allowed = {int, float} if expected is float else {expected}

    def check(value: object, where: str, problems: list[str]) -> None:
        if type(value) not in allowed:
            problems.append(f"{where}: {_shown(value)} instead of {_SCALARS[expected]}")

    return check


def _one_of(values: tuple[object, ...]) -> Check:
    typed = {(type(value), value) for value in values}

    def check(value: object, where: str, problems: list[str]) -> None:
        if not isinstance(value, str | int) or (type(value), value) not in typed:
            problems.append(f"{where}: {_shown(value)} instead of one of {values}")

    return check


def _union(checks: list[Check]) -> Check:
    def check(value: object, where: str, problems: list[str]) -> None:
        least: list[str] | None = None
        for member in checks:
            found: list[str] = []
            member(value, where, found)
            if not found:
                return
            # The member that fits best is the one that was meant.
            if least is None or _distance(found) < _distance(least):
                least = found
        problems += least or ()

    return check


def _distance(problems: list[str]) -> tuple[int, int]:
    depth = max(problem.partition(": ")[0].count(".") for problem in problems)
    return len(problems) - depth, len(problems)


def _sequence(item: Check, length: int | None) -> Check:
    def check(value: object, where: str, problems: list[str]) -> None:
        if not isinstance(value, list):
            problems.append(f"{where}: {_shown(value)} instead of a list")
            return
        if length is not None and len(value) != length:
            problems.append(f"{where}: {len(value)} items instead of {length}")
        for number, entry in enumerate(value):
            item(entry, f"{where}[{number}]", problems)

    return check


def _mapping(item: Check) -> Check:
    def check(value: object, where: str, problems: list[str]) -> None:
        if not isinstance(value, dict):
            problems.append(f"{where}: {_shown(value)} instead of an object")
            return
        for key, each_item in value.items():
            item(each_item, f"{where}.{key}", problems)

    return check


class _Property:
    """A property of a structure. Its check is made at its first use: structures may contain themselves."""

    def __init__(self, owner: type, attribute: attrs.Attribute[Any], hint: Any) -> None:
        qualified = f"{owner.__name__}.{attribute.name}"
        is_always_written = types.is_special_property(owner, attribute.name)
        self.name = json_name(attribute.name)
        self.is_required = attribute.default is attrs.NOTHING or (
            is_always_written and qualified not in _OPTIONAL_AND_NULLABLE
        )
        is_any = Any in typing.get_args(hint)
        self.is_nullable = is_any or is_always_written or attribute.default is attrs.NOTHING
        self._hint = hint
        self._attribute = attribute

    def check(self, value: object, where: str, problems: list[str]) -> None:
        if value is None and not self.is_nullable:
            problems.append(f"{where}: null, where the property should be absent")
            return
        before = len(problems)
        check_of(self._hint)(value, where, problems)
        if len(problems) == before and type(value) in {int, str} and self._attribute.validator is not None:
            try:
                self._attribute.validator(None, self._attribute, value)
            except ValueError:
                problems.append(f"{where}: {value!r} is out of range")


def properties_of(structure: type) -> dict[str, _Property]:
    """The properties of a structure by their names in JSON."""
    hints = typing.get_type_hints(structure, vars(types))
    properties = (_Property(structure, attribute, hints[attribute.name]) for attribute in attrs.fields(structure))
    return {each_property.name: each_property for each_property in properties}


def _structure(structure: type) -> Check:
    properties = properties_of(structure)
    required = {value.name for value in properties.values() if value.is_required}

    def check(value: object, where: str, problems: list[str]) -> None:
        if not isinstance(value, dict):
            problems.append(f"{where}: {_shown(value)} instead of a {structure.__name__}")
            return
        problems += [f"{where}: '{name}' is missing ({structure.__name__})" for name in required - value.keys()]
        for name, item in value.items():
            known = properties.get(name)
            if known is None:
                problems.append(f"{where}.{name}: no property of {structure.__name__}")
            else:
                known.check(item, f"{where}.{name}", problems)

    return check


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
