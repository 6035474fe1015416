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
    """An answer was interrupted by `rules` after the agent got a call of it; a reminder follows the call's result."""

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
    """The proxy answered these tool calls in place of the agent; those in `denied` did not run."""

    tools: tuple[str, ...]
    denied: tuple[str, ...]


class FollowUpAdded(Struct, frozen=True):
    """Features requested a follow-up to a complete answer; `rules` are those that a judge found broken."""

    rules: tuple[str, ...]


class ProxyRulesReplaced(Struct, frozen=True):
    """Rules were reloaded; `text` has sentences on the changes and on rules that are no longer in force."""

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
