"""The ledger in Redis, for several processes behind a load balancer: a list for each session, which only grows."""

from __future__ import annotations

from typing import Any

import msgspec

from ttsr_ls.bridge.proxy.ledger.shared_entry import SharedEntry
from ttsr_ls.errors import UsageError
from ttsr_ls.store.log.errors import LogWriteError
from ttsr_ls.typed_values import json_decoder

_SECONDS_KEPT = 30 * 24 * 3600
_ANSWERS_WITHIN = 2.0
_ENCODER = msgspec.json.Encoder()
_DECODER = json_decoder(SharedEntry)


class SharedState:
    """A connection to Redis. `workspace` names the workspace whose sessions these are."""

    def __init__(self, url: str, workspace: str) -> None:
        """Raises UsageError where Redis cannot be used."""
        try:
            import redis
        except ImportError as error:
            raise UsageError(
                "--state needs the Redis client; install it with `pip install 'ttsr-ls[redis]'`"
            ) from error
        self._workspace = workspace
        times = {"socket_timeout": _ANSWERS_WITHIN, "socket_connect_timeout": _ANSWERS_WITHIN}
        try:
            self._client: Any = redis.Redis.from_url(url, **times)
            self._client.ping()
        except (redis.RedisError, ValueError, OSError) as error:
            raise UsageError(f"the state cannot be shared: {error}; write --state redis://HOST:PORT/NUMBER") from error

    def entries(self, session: str) -> RedisEntries:
        """The ledger entries of a session, in Redis."""
        return RedisEntries(self._client, f"ttsr-ls:proxy:{self._workspace}:{session}")

    def close(self) -> None:
        """Closes the connection."""
        self._client.close()


class RedisEntries:
    """The entries of one session, in the list `key`."""

    def __init__(self, client: Any, key: str) -> None:
        self._client = client
        self._key = key
        self._read = 0

    def append(self, entry: SharedEntry) -> None:
        """Stores an entry for all processes. Raises LogWriteError if the entry could not be stored."""
        import redis

        try:
            self._client.rpush(self._key, _ENCODER.encode(entry))
            self._client.expire(self._key, _SECONDS_KEPT)
        except (redis.RedisError, OSError) as error:
            raise LogWriteError(f"the shared state cannot be written ({error})") from error

    def read(self) -> list[SharedEntry]:
        """The entries since the last call, those of this process included. Raises LogWriteError."""
        import redis

        try:
            found: list[bytes] = self._client.lrange(self._key, self._read, -1)
        except (redis.RedisError, OSError) as error:
            raise LogWriteError(f"the shared state cannot be read ({error})") from error
        self._read += len(found)
        entries = []
        for item in found:
            try:
                entries.append(_DECODER.decode(item))
            except msgspec.DecodeError:  # A later version wrote it.
                continue
        return entries
