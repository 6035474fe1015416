"""The matchers of sessions: those of one event loop share their automata."""

from __future__ import annotations

import asyncio
from weakref import WeakKeyDictionary

from ttsr_ls.matching.streams.matcher_cache import MatcherCache, SharedMatching

_OF_LOOP: WeakKeyDictionary[asyncio.AbstractEventLoop, SharedMatching] = WeakKeyDictionary()


def session_matchers() -> MatcherCache:
    """Returns the matchers of a session in the running event loop, which runs one session after the other.

    Raises RuntimeError where no event loop runs.
    """
    loop = asyncio.get_running_loop()
    try:
        shared = _OF_LOOP.get(loop)
        if shared is None:
            shared = _OF_LOOP[loop] = SharedMatching(shares_searches=True)
    except TypeError:  # A loop of another library of which no weak reference can be made.
        shared = None
    return MatcherCache(shared)
