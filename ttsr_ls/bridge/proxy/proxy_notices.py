"""The notices for a user who runs an agent behind the proxy."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace


class AnswerRetried(Struct, frozen=True):
    """An answer was interrupted by `rules`, and the model answers again; `attempt` counts from 2."""

    rules: tuple[str, ...]
    attempt: int
    excerpt: str


class AnswerEndedEarly(Struct, frozen=True):
    """An answer was interrupted by `rules` after a tool call that the agent has; a reminder follows its result."""

    rules: tuple[str, ...]
    excerpt: str


class ReminderAdded(Struct, frozen=True):
    """A reminder of `rules` was, or will be, added to a request. `is_degraded`: the limit of retries was reached."""

    rules: tuple[str, ...]
    is_degraded: bool


class ProtectionFailed(Struct, frozen=True):
    """A request or answer passed unprotected, or a record failed; `reason` is a full sentence."""

    reason: str


class CallsAnswered(Struct, frozen=True):
    """The proxy answered these tool calls itself, and the agent does not get them; those in `denied` did not run."""

    tools: tuple[str, ...]
    denied: tuple[str, ...]


class FollowUpAdded(Struct, frozen=True):
    """Features had the model go on after a complete answer, because of `rules` where a judge found them broken."""

    rules: tuple[str, ...]


class ProxyRulesReplaced(Struct, frozen=True):
    """Rules were read again; `text` says in sentences what changed and what is not in force since."""

    text: str


ProxyNotice = (
    AnswerRetried
    | AnswerEndedEarly
    | ReminderAdded
    | CallsAnswered
    | FollowUpAdded
    | ProtectionFailed
    | ProxyRulesReplaced
)


def without_excerpt(notice: ProxyNotice) -> ProxyNotice:
    """The notice without the text on which a rule fired."""
    return replace(notice, excerpt="") if isinstance(notice, AnswerRetried | AnswerEndedEarly) else notice
