"""The bounds of the proxy."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.bridge.model.endpoint import Timeouts


class ProxyLimits(Struct, frozen=True):
    """The limits of one request: time, memory, and retries.

    `window` is the most text, in characters, that is held back until it is known to break no rule. After
    `retries_per_rule` interruptions by one rule in a turn, or `retries_per_turn` in all, a rule only reminds; the
    setting `maxInterrupts` replaces the latter. In a turn, features answer at most `answered_calls` answers with calls,
    and request at most `follow_ups` follow-ups. At most `held` bytes of an answer are held back; a longer tool call
    ends the answer with an error.
    """

    window: int = 400
    retries_per_rule: int = 2
    retries_per_turn: int = 6
    answered_calls: int = 100
    follow_ups: int = 6
    request: int = 64 * 1024 * 1024
    held: int = 64 * 1024 * 1024
    whole_answer: int = 64 * 1024 * 1024
    streams: int = 256
    keep_alive: float = 5.0
    client: float = 60.0
    """How long a client may take to read what was sent to it, in seconds."""
    upstream: Timeouts = Timeouts(connect=15, idle=600, total=3600)
