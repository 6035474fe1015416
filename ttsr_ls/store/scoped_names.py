"""Settings that are lists of names, some of which hold only in certain folders."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ttsr_ls.store.agent_environment import AgentEnvironment, expand_path
from ttsr_ls.syntax.rule_file import ListValue, MapValue, ScalarValue, Value
from ttsr_ls.syntax.settings_file import member

_FOLDER_KEYS = ("path", "paths", "pathPrefix", "pathPrefixes")
_NAME_KEYS = ("values", "items", "providers")


def scoped_names(value: Value, environment: AgentEnvironment) -> frozenset[str]:
    """Returns the names of a list that apply in an environment: texts always, maps in their folders."""
    names: set[str] = set()
    for item in value.items if isinstance(value, ListValue) else ():
        match item:
            case ScalarValue(data=str(name)):
                names.add(name)
            case MapValue() if any(
                _is_within(environment.cwd, expand_path(path, environment)) for path in _texts(item, _FOLDER_KEYS)
            ):
                names.update(_texts(item, _NAME_KEYS))
            case _:
                pass
    return frozenset(names)


def _texts(value: MapValue, keys: tuple[str, ...]) -> Iterator[str]:
    for key in keys:
        entry = member(value, key)
        names = None if entry is None else entry.value
        for item in names.items if isinstance(names, ListValue) else (names,):
            if isinstance(item, ScalarValue) and isinstance(item.data, str):
                yield item.data


def _is_within(folder: Path, root: Path) -> bool:
    return folder == root or root in folder.parents
