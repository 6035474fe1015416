"""Loads features by name: those of this package, and those that installed packages offer as entry points
`ttsr_ls.features`.

Only named features are loaded. A feature that cannot be loaded, because its code raises or hangs, is reported and left
out; its errors never reach the caller.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from importlib.metadata import EntryPoint, entry_points

from msgspec import Struct

from ttsr_ls.errors import error_text
from ttsr_ls.session.hooks.contract import Feature
from ttsr_ls.session.hooks.feature_check import find_feature_mistake

GROUP = "ttsr_ls.features"

OWN = {"tasks": "ttsr_ls.features.tasks.feature:TaskFeature"}
"""The features of this package. They need no entry points, and no other package can use their names."""

RESERVED = frozenset({"ttsr", "judge"})
"""Names of features that sessions create themselves. Records contain these names, so no package can use them."""

DEFAULT_TIMEOUT = 10.0
"""The time limit of importing and creating a feature, in seconds."""


class FeatureProblem(Struct, frozen=True):
    """A feature that was not loaded; `message` is a full sentence."""

    feature: str
    message: str


class LoadedFeatures(Struct, frozen=True):
    """The loaded features, in the order of their names, and the problems of the others."""

    features: tuple[Feature, ...]
    problems: tuple[FeatureProblem, ...]


def load_features(
    names: Iterable[str], *, taken_names: Iterable[str] = (), timeout: float = DEFAULT_TIMEOUT
) -> LoadedFeatures:
    """Loads the features with these names, each once. Never raises for errors of a feature.

    `taken_names` are the names of existing tools of the model. Of two features with a tool of one name, the first is
    loaded.
    """
    features: list[Feature] = []
    problems: list[FeatureProblem] = []
    tools = set(taken_names)
    for name in dict.fromkeys(names):
        found = _load(name, timeout)
        if isinstance(found, Feature):
            twice = next((tool.name for tool in found.tools if tool.name in tools), None)
            if twice is None:
                features.append(found)
                tools.update(tool.name for tool in found.tools)
                continue
            found = FeatureProblem(name, f"Feature {name} cannot be used: there is a tool {twice} already.")
        problems.append(found)
    return LoadedFeatures(tuple(features), tuple(problems))


def _load(name: str, timeout: float) -> Feature | FeatureProblem:
    entry = _entry(name)
    if isinstance(entry, FeatureProblem):
        return entry
    outcome = _run_within(lambda: _checked(name, entry.load()()), timeout)  # Each of these steps runs foreign code.
    match outcome:
        case _Late():
            return FeatureProblem(name, f"Feature {name} ({entry.value}) was not ready after {timeout:g} seconds.")
        case _Raised(message):
            return FeatureProblem(name, f"Feature {name} ({entry.value}) could not be loaded: {message}.")
        case _Returned(Feature() as feature):
            return feature
        case _Returned(mistake):
            return FeatureProblem(name, f"Feature {name} ({entry.value}) cannot be used: {mistake}.")


def _entry(name: str) -> EntryPoint | FeatureProblem:
    if name in RESERVED:
        return FeatureProblem(name, f"Feature {name} is part of every session that needs it, and cannot be loaded.")
    if name in OWN:
        return EntryPoint(name, OWN[name], GROUP)
    points = entry_points(group=GROUP)
    # A package that is on the path twice has each entry point twice.
    values = {entry.value: entry for entry in points if entry.name == name}
    if len(values) == 1:
        return next(iter(values.values()))
    if values:
        return FeatureProblem(name, f"Feature {name} is offered more than once: {', '.join(sorted(values))}.")
    feature_names = ", ".join(sorted({*OWN, *(entry.name for entry in points)}))
    return FeatureProblem(name, f"Feature {name} is not installed; there are: {feature_names}.")


def _checked(name: str, value: object) -> Feature | str:
    """Returns the feature that foreign code created, or why it is not valid."""
    if not isinstance(value, Feature):
        return f"it made a {type(value).__name__}, which is no Feature"
    if value.name != name:
        return f"it calls itself {value.name!r}, and its records must bear the name under which it is loaded"
    mistake = find_feature_mistake(value)
    return value if mistake is None else mistake


class _Returned(Struct, frozen=True):
    value: object


class _Raised(Struct, frozen=True):
    message: str


class _Late(Struct, frozen=True):
    pass


def _run_within(make: Callable[[], object], timeout: float) -> _Returned | _Raised | _Late:
    """Runs foreign code in a thread with a time limit; the thread is abandoned if the code never returns."""
    results: list[_Returned | _Raised] = []

    def run() -> None:
        try:
            results.append(_Returned(make()))
        except BaseException as error:  # Foreign code may raise SystemExit.
            results.append(_Raised(f"{type(error).__name__}: {error_text(error)}"[:300]))

    thread = threading.Thread(target=run, name="feature loading", daemon=True)
    thread.start()
    thread.join(timeout)
    return results[0] if results else _Late()
