"""Loads features by name: our own, and those that installed packages offer as entry points `ttsr_ls.features`.

Only what somebody named is loaded. What cannot be loaded, be it that its code raises or hangs, is reported and left
out; nothing of it reaches whoever asked.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from importlib.metadata import EntryPoint, entry_points

from msgspec import Struct

from ttsr_ls.bridge.hooks.contract import Feature, FeatureTool

GROUP = "ttsr_ls.features"

OWN = {"tasks": "ttsr_ls.bridge.features.tasks:TaskFeature"}
"""Our own features. They are found without being installed, and no package can take their names."""

PATIENCE = 10.0
"""How long importing and making a feature may take, in seconds."""


LONGEST_PATIENCE = 60.0
"""The most that a feature may ask for, in seconds for a hook."""


class FeatureProblem(Struct, frozen=True):
    """A feature that was not loaded; `message` is a full sentence."""

    feature: str
    message: str


class LoadedFeatures(Struct, frozen=True):
    """The features that were loaded, in the order in which they were named, and what became of the others."""

    features: tuple[Feature, ...]
    problems: tuple[FeatureProblem, ...]


def load_features(names: Iterable[str], *, patience: float = PATIENCE) -> LoadedFeatures:
    """Loads the features with these names, each once. Never raises for what a feature does."""
    features: list[Feature] = []
    problems: list[FeatureProblem] = []
    for name in dict.fromkeys(names):
        found = _load(name, patience)
        if isinstance(found, FeatureProblem):
            problems.append(found)
        else:
            features.append(found)
    return LoadedFeatures(tuple(features), tuple(problems))


def _load(name: str, patience: float) -> Feature | FeatureProblem:
    entry = _entry(name)
    if isinstance(entry, FeatureProblem):
        return entry
    made = _within(lambda: entry.load()(), patience)
    match made:
        case _Late():
            return FeatureProblem(name, f"Feature {name} ({entry.value}) was not ready after {patience:g} seconds.")
        case _Raised(message):
            return FeatureProblem(name, f"Feature {name} ({entry.value}) could not be loaded: {message}.")
        case _Returned(value):
            checked = _checked(name, value)
            if isinstance(checked, Feature):
                return checked
            return FeatureProblem(name, f"Feature {name} ({entry.value}) cannot be used: {checked}.")


def _entry(name: str) -> EntryPoint | FeatureProblem:
    if name in OWN:
        return EntryPoint(name, OWN[name], GROUP)
    offered = entry_points(group=GROUP)
    # A package that is found twice on the path offers the same thing twice.
    values = {entry.value: entry for entry in offered if entry.name == name}
    if len(values) == 1:
        return next(iter(values.values()))
    if values:
        return FeatureProblem(name, f"Feature {name} is offered more than once: {', '.join(sorted(values))}.")
    known = ", ".join(sorted({*OWN, *(entry.name for entry in offered)}))
    return FeatureProblem(name, f"Feature {name} is not installed; there are: {known}.")


def _checked(name: str, value: object) -> Feature | str:
    """The feature that foreign code made, or why it is none."""
    if not isinstance(value, Feature):
        return f"it made a {type(value).__name__}, which is no Feature"
    if value.name != name:
        return f"it calls itself {value.name!r}, and its records must bear the name under which it is loaded"
    if not isinstance(value.tools, tuple) or not all(isinstance(tool, FeatureTool) for tool in value.tools):
        return "its tools are no tuple of FeatureTool"
    if not isinstance(value.patience, int | float) or not 0 < value.patience <= LONGEST_PATIENCE:
        return f"its patience is not between 0 and {LONGEST_PATIENCE:g} seconds"
    return value


class _Returned(Struct, frozen=True):
    value: object


class _Raised(Struct, frozen=True):
    message: str


class _Late(Struct, frozen=True):
    pass


def _within(make: Callable[[], object], patience: float) -> _Returned | _Raised | _Late:
    """What comes of foreign code, in a thread that is left behind if it never comes back."""
    outcome: list[_Returned | _Raised] = []

    def run() -> None:
        try:
            outcome.append(_Returned(make()))
        except BaseException as error:  # Foreign code, which may even want to end the process.
            outcome.append(_Raised(f"{type(error).__name__}: {error}"[:300]))

    thread = threading.Thread(target=run, name="feature loading", daemon=True)
    thread.start()
    thread.join(patience)
    return outcome[0] if outcome else _Late()
