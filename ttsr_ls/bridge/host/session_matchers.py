"""The matchers of sessions. Sessions of one event loop share their automata."""

from __future__ import annotations

import asyncio
from weakref import WeakKeyDictionary

from ttsr_ls.matching.streams.matcher_cache import MatcherCache, SharedMatching

_BY_LOOP: WeakKeyDictionary[asyncio.AbstractEventLoop, SharedMatching] = WeakKeyDictionary()


def session_matchers() -> MatcherCache:
    """Returns the matchers of a session in the running event loop.

    Automata can be shared there, because only one session runs at a time. Raises RuntimeError without an event loop.
    """
    loop = asyncio.get_running_loop()
    try:
        shared = _BY_LOOP.get(loop)
        if shared is None:
            shared = _BY_LOOP[loop] = SharedMatching(shares_searches=True)
    except TypeError:  # An event loop of another library may not support weak references.
        shared = None
    return MatcherCache(shared)
