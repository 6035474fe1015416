"""The rules whose messages a user silenced in sessions, stored next to the logs, so that all editor windows silence
the same rules.
"""

from __future__ import annotations

import errno
import json
from pathlib import Path

from ttsr_ls.store.files.bounded_file import read_optional_text
from ttsr_ls.store.files.file_lock import hold_lock
from ttsr_ls.store.files.private_files import PRIVATE_FILE
from ttsr_ls.store.files.replacement import replace_file
from ttsr_ls.store.log.cleared_runs import LOCK_SECONDS
from ttsr_ls.store.log.session_dirs import session_files

FILE = "silenced.json"
_LOCK_FILE = "silenced.lock"
"""Locked from the reading of the file to its replacement, as the servers of two windows may change it."""
_MAX_RULES = 1_000
"""The most silenced rules of a session."""

SilencedRules = frozenset[tuple[str, str | None]]
"""Names of rules with their paths; without a path, all rules of the name."""


def with_silence(rules: SilencedRules, rule: str, path: str | None, *, silent: bool) -> SilencedRules:
    """The silenced rules after a rule was silenced, or after its silence was ended."""
    if silent:
        return rules | {(rule, path)}
    return frozenset(
        (name, each) for name, each in rules if name != rule or (each != path and each is not None and path is not None)
    )


def read_silenced(folder: Path) -> dict[str, SilencedRules]:
    """Returns the silenced rules by the names of logs in a workspace's folder. An unreadable file has none."""
    try:
        value = json.loads(read_optional_text(folder / FILE) or "{}")
    except (ValueError, RecursionError):
        return {}
    if not isinstance(value, dict):
        return {}
    return {name: found for name, rules in value.items() if (found := _rules(rules))}


def store_silence(log: Path, rule: str, path: str | None, *, silent: bool, lock_seconds: float = LOCK_SECONDS) -> None:
    """Silences a rule in the session of a log, or ends its silence, and drops the rules of deleted logs.

    Raises OSError, also if another window keeps the file locked.
    """
    folder = log.parent
    with hold_lock(folder / _LOCK_FILE, lock_seconds) as is_held:
        if not is_held:
            raise TimeoutError(errno.ETIMEDOUT, "another editor window keeps its lock", str(folder / FILE))
        names = {each.name for each in session_files(folder)}
        stored = {name: rules for name, rules in read_silenced(folder).items() if name in names}
        stored[log.name] = with_silence(stored.get(log.name, frozenset()), rule, path, silent=silent)
        if not stored[log.name]:
            del stored[log.name]
        data = {name: sorted(map(list, rules), key=str) for name, rules in sorted(stored.items())}
        replace_file(folder / FILE, json.dumps(data).encode(), PRIVATE_FILE)


def _rules(value: object) -> SilencedRules:
    items = value[:_MAX_RULES] if isinstance(value, list) else []
    return frozenset(
        (item[0], item[1])
        for item in items
        if isinstance(item, list) and len(item) == 2 and isinstance(item[0], str) and isinstance(item[1], str | None)
    )
