"""Records beside the turns: the agent's session, what could not be read or inspected, the instructions that an agent
loads, and changes of rules.
"""

from __future__ import annotations

from ttsr_ls.session.history.recorded_value import RecordedValue


class AgentSessionIdentified(RecordedValue, frozen=True):
    """From here on, the log is about the session that the agent itself calls `session`.

    Several programs may serve it, each with a log of its own.
    """

    session: str


class InputSkipped(RecordedValue, frozen=True):
    """A part of the agent's output could not be read, so rules did not see it; `message` is a full sentence."""

    message: str


class RequestNotInspected(RecordedValue, frozen=True):
    """Rules did not see a request or its answer, because of `reason`. It `is_refused`, or was passed on."""

    reason: str
    is_refused: bool


class RequestsCounted(RecordedValue, frozen=True):
    """The numbers of the session's requests in this run of the proxy; `irrelevant` ones do not ask a model for output.

    `refuses_unparsed`: the proxy refuses requests that it cannot inspect (fails closed), instead of passing them on.
    """

    inspected: int
    irrelevant: int
    unparsed: int
    refuses_unparsed: bool


class InstructionsLoaded(RecordedValue, frozen=True):
    """The agent loaded the instruction file `path` into its model's context.

    `level` is the agent's term for the owner of the file (Claude Code: `User`, `Project`, `Local`, `Managed`); `reason`
    is why it was loaded, such as `session_start` or `path_glob_match`.
    """

    agent: str
    path: str
    level: str
    reason: str


class RuleChanges(RecordedValue, frozen=True):
    """The names of the rules that changed when rules were read again. `warnings` are full sentences on rules that are
    not in force since.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        """The changes for users, without the warnings."""
        named = (("added", self.added), ("changed", self.changed), ("removed", self.removed))
        phrases = [f"{verb} {name}" for verb, names in named for name in names]
        return f"Rules were read again: {', '.join(phrases) or 'none changed'}."

    @property
    def text(self) -> str:
        """The changes and warnings for users."""
        return " ".join((self.summary, *self.warnings))
