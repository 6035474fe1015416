"""The views for the user of an agent that is run: its output, the effects of rules, and failures."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.bridge.watch.notices import Notice
from ttsr_ls.rules.stream import Source


class ProseShown(Struct, frozen=True):
    """The main agent wrote more prose or thinking."""

    source: Source
    text: str


class CallShown(Struct, frozen=True):
    """An agent calls a tool; `subject` is the file or the command, blank if there is neither.

    `is_incomplete`: its arguments are not complete, so it does not run.
    """

    tool: str
    subject: str
    is_incomplete: bool = False


class CallFailedShown(Struct, frozen=True):
    """A tool call failed or was refused."""

    text: str


class AgentInterrupted(Struct, frozen=True):
    """An answer is interrupted because of rules; `is_discarded`: it is removed from the model's context.

    `call_runs`: it is a tool call that the agent reported only while it ran, so the call is not interrupted.
    """

    rules: tuple[str, ...]
    is_discarded: bool
    call_runs: bool = False


class RulesInjected(Struct, frozen=True):
    """The text `text` about rules was injected, after an interrupt or without one."""

    rules: tuple[str, ...]
    text: str


class CallRanAnyway(Struct, frozen=True):
    """A tool call that broke a rule ran, although a rule should have prevented it."""

    rules: tuple[str, ...]
    tool: str


class AgentTrouble(Struct, frozen=True):
    """Communication with the agent failed; the message is a full sentence."""

    message: str


class AgentLimit(Struct, frozen=True):
    """A limit of this program in the mode in which the agent runs; a full sentence."""

    message: str


class AgentAwaited(Struct, frozen=True):
    """The agent takes long to answer the request `step`, or to start, if `step` is blank."""

    step: str


class StopRequested(Struct, frozen=True):
    """The user stopped the run; the agent is asked to stop."""


RunView = (
    Notice
    | ProseShown
    | CallShown
    | CallFailedShown
    | AgentInterrupted
    | RulesInjected
    | CallRanAnyway
    | AgentTrouble
    | AgentLimit
    | AgentAwaited
    | StopRequested
)
