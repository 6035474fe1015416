"""The silenced rules of a workspace and the caps on its triggers: a file beside its session logs.

Every program that watches or runs an agent reads it when a rule fires, so a change applies at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ttsr_ls.errors import UsageError
from ttsr_ls.session.lifecycle.noise_budget import NO_NOISE_LIMITS, NoiseLimits, Silence
from ttsr_ls.store.files.bounded_file import RuleUnreadableError, read_file
from ttsr_ls.store.files.file_lock import hold_lock
from ttsr_ls.store.files.private_files import PRIVATE_FILE, make_private_folders
from ttsr_ls.store.files.replacement import replace_file
from ttsr_ls.store.log.session_dirs import workspace_folder, workspace_root
from ttsr_ls.typed_values import convert_value

NAME = "noise.json"
MAX_SILENCES = 1_000
_LOCK_FILE = "noise.lock"
_LOCK_SECONDS = 10.0
"""The longest time that a process waits for others to change the limits."""


class StoredSilence(Struct, frozen=True, omit_defaults=True):
    """A silenced rule: until a time in milliseconds since the Unix epoch, or in the session whose log has that name.

    `agent_session` is the name that the agent itself gives the session: it holds in all programs that serve it.
    """

    rule: str
    until: int | None = None
    session: str | None = None
    agent_session: str | None = None


class StoredNoise(Struct, frozen=True, omit_defaults=True):
    """The stored silences and limits of a workspace."""

    silences: tuple[StoredSilence, ...] = ()
    per_turn: int | None = None
    per_session: int | None = None

    def limits(self, *sessions: str) -> NoiseLimits:
        """Returns the limits of a session: `sessions` are the name of its log without the suffix, and the agent's."""
        in_session = (
            silence
            for silence in self.silences
            if silence.session is None or silence.session in sessions or silence.agent_session in sessions
        )
        silences = tuple(Silence(silence.rule, silence.until) for silence in in_session)
        return NoiseLimits(silences, self.per_turn, self.per_session)

    def without(self, rules: tuple[str, ...]) -> StoredNoise:
        """Returns a copy without the silences of these rules."""
        return replace(self, silences=tuple(silence for silence in self.silences if silence.rule not in rules))

    def without_ended(self, now: int) -> StoredNoise:
        """Returns a copy without expired entries."""
        kept = tuple(silence for silence in self.silences if silence.until is None or silence.until > now)
        return replace(self, silences=kept[-MAX_SILENCES:])


def read_noise(folder: Path) -> StoredNoise:
    """Reads the limits of the workspace with this folder of session logs. Raises UsageError if the file is broken."""
    path = folder / NAME
    if not path.exists():
        return StoredNoise()
    try:
        # msgspec rejects lone surrogates, which the name of a rule has if its file name is not UTF-8.
        return convert_value(json.loads(read_file(path)), StoredNoise)
    except (RuleUnreadableError, msgspec.ValidationError, ValueError, RecursionError) as error:
        raise UsageError(f"cannot read {path}: {error}; remove the file") from error


@contextmanager
def lock_noise(folder: Path) -> Iterator[None]:
    """Excludes other processes that change the limits, from reading them to writing them. Raises UsageError."""
    try:
        with hold_lock(folder / _LOCK_FILE, _LOCK_SECONDS) as is_held:
            if not is_held:
                raise UsageError(f"another process is changing {folder / NAME}; try again")
            yield
    except OSError as error:
        raise UsageError(f"cannot write {folder / NAME}: {error.strerror or error}") from error


def write_noise(folder: Path, limits: StoredNoise) -> None:
    """Stores the limits of a workspace. Raises UsageError if the file cannot be written."""
    try:
        make_private_folders(folder)
        text = json.dumps(msgspec.to_builtins(limits), indent=2)
        replace_file(folder / NAME, text.encode() + b"\n", PRIVATE_FILE)
    except OSError as error:
        raise UsageError(f"cannot write {folder / NAME}: {error.strerror or error}") from error


class NoiseReader:
    """Gives the silences and caps of `ttsr-ls quiet` for one session. Their file is read again only when it changed."""

    __slots__ = ("_folder", "_limits", "_sessions", "_state")

    def __init__(self, folder: Path, *sessions: str) -> None:
        self._folder = folder
        self._sessions = dict.fromkeys(sessions)
        self._state: tuple[int, int] | None = None
        self._limits = NO_NOISE_LIMITS

    def __call__(self) -> NoiseLimits:
        """Returns the limits. A broken file silences nothing."""
        try:
            found = (self._folder / NAME).stat()
            state = (found.st_mtime_ns, found.st_ino)
        except OSError:
            self._state, self._limits = None, NO_NOISE_LIMITS
            return self._limits
        if state != self._state:
            self._state = state
            try:
                self._limits = read_noise(self._folder).limits(*self._sessions)
            except UsageError:
                self._limits = NO_NOISE_LIMITS
        return self._limits

    def join(self, session: str) -> None:
        """Adds the name that the agent gives the session."""
        if session and session not in self._sessions and len(self._sessions) < MAX_SILENCES:
            self._sessions[session] = None
            self._state = None


def noise_reader(cwd: Path, state: Path, *sessions: str) -> NoiseReader:
    """Returns the reader of the limits for a session in a folder, by the session's names. `state` is the folder of
    `session_dirs.state_home`."""
    return NoiseReader(workspace_folder(state, workspace_root(cwd)), *sessions)
