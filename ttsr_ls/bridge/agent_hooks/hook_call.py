"""The calls of hooks and their answers, in one form for all agents."""

from __future__ import annotations

from enum import StrEnum, auto

from msgspec import Struct

from ttsr_ls.session.history.turn_events import MAIN_AGENT
from ttsr_ls.session.output.partial_json import JsonValue


class HookKind(StrEnum):
    """The kind of a hook call."""

    SESSION_STARTED = auto()
    PROMPTED = auto()
    BEFORE_TOOL = auto()
    AFTER_TOOL = auto()
    ANSWERED = auto()
    STOPPING = auto()
    SUBAGENT_STOPPING = auto()
    SESSION_ENDED = auto()
    INSTRUCTIONS_LOADED = auto()
    UNUSED = auto()
    """A known event that decides nothing."""
    OTHER = auto()


class LoadedInstructions(Struct, frozen=True):
    """A file of instructions that the agent loaded; `level` and `reason` are in the agent's words."""

    path: str
    level: str
    reason: str


class HookCall(Struct, frozen=True):
    """A call of a hook. `event` is its name as the agent has it; `text` the prompt, the answer or the tool's result.

    `session` names the agent's session and `cwd` its folder, absolute. `call` is the id of the tool call, blank where
    the agent gives none.
    """

    kind: HookKind
    event: str
    session: str
    cwd: str
    agent: str = MAIN_AGENT
    agent_kind: str = ""
    """The kind of the subagent, as its agent names it; blank if it names none, and for the main agent."""
    tool: str = ""
    call: str = ""
    arguments: dict[str, JsonValue] = {}
    text: str = ""
    transcript: str = ""
    """The path of the session's transcript, for an agent whose hooks do not send the text of its answers."""
    is_reminded_before: bool = False
    """A reminder goes with the answer to the hook before the call: the agent adds it to the call's result, and does not
    wait for the hook after the call.
    """
    has_failed: bool = False
    """The tool, or the turn that stops, ended with an error or was cancelled."""
    needs_complete_check: bool = False
    """The hooks fail closed: a tool call that cannot be matched completely is denied."""
    instructions: LoadedInstructions | None = None
    """The file that the agent loaded, for a call of the kind `INSTRUCTIONS_LOADED`."""


class Denied(Struct, frozen=True):
    """The tool call does not run; `text` is injected, because of `rules`."""

    text: str
    rules: tuple[str, ...]


class UserConfirmation(Struct, frozen=True):
    """The user decides whether the tool call runs. The question shows `text`, because of `rules`."""

    text: str
    rules: tuple[str, ...]


class ContextAdded(Struct, frozen=True):
    """`text` is injected in addition to the agent's own messages."""

    text: str
    rules: tuple[str, ...]


class Continued(Struct, frozen=True):
    """The agent does not stop; `text` is injected."""

    text: str
    rules: tuple[str, ...]


class Allowed(Struct, frozen=True):
    """The agent continues as without a hook."""


HookAnswer = Denied | UserConfirmation | ContextAdded | Continued | Allowed
"""What a hook may answer."""
