"""Requests to upstream: headers as they came, the environment's proxies and certificates, no redirects."""

from __future__ import annotations

import os
import ssl
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from ttsr_ls.bridge.model.endpoint import Timeouts
from ttsr_ls.bridge.model.proxies import proxy_for

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession

_HOP_BY_HOP = frozenset(
    ("connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer")
) | {"transfer-encoding", "upgrade"}
_NOT_FORWARDED = _HOP_BY_HOP | {"host", "content-length", "expect"}
_AUTOMATIC = ("User-Agent", "Accept", "Accept-Encoding", "Content-Type")
"""Headers that the HTTP library would add where the client sent none."""


def request_headers(headers: Iterable[tuple[str, str]], *, is_inspected: bool) -> list[tuple[str, str]]:
    """The headers for upstream. An answer that is inspected must not be compressed."""
    client_headers = list(headers)
    connection = (value for name, value in client_headers if name.lower() == "connection")
    dropped = _NOT_FORWARDED | {part.strip().lower() for value in connection for part in value.split(",")}
    kept = [(name, value) for name, value in client_headers if name.lower() not in dropped]
    if is_inspected:
        kept = [(name, value) for name, value in kept if name.lower() != "accept-encoding"]
        kept.append(("Accept-Encoding", "identity"))
    return kept


def response_headers(headers: Iterable[tuple[str, str]], *, is_edited: bool) -> list[tuple[str, str]]:
    """The headers for the client. The length of an answer that may be edited is not known."""
    dropped = _HOP_BY_HOP | {"content-length"} if is_edited else _HOP_BY_HOP
    return [(name, value) for name, value in headers if name.lower() not in dropped]


class Upstream:
    """Makes the requests of one proxy, with one pool of connections."""

    def __init__(self, timeouts: Timeouts, environ: Mapping[str, str] = os.environ) -> None:
        self._timeouts = timeouts
        self._environ = environ
        self._session: ClientSession | None = None
        self._certificates: ssl.SSLContext | None = None

    async def request(self, method: str, url: str, headers: list[tuple[str, str]], body: bytes) -> ClientResponse:
        """Returns the answer, whose content is not read yet. Raises the errors of aiohttp."""
        from multidict import CIMultiDict
        from yarl import URL

        if self._session is None:
            self._session = self._open_session()
        proxy = proxy_for(url)
        return await self._session.request(
            method,
            URL(url, encoded=True),
            headers=CIMultiDict(headers),
            data=body or None,
            allow_redirects=False,
            proxy=proxy,
            ssl=self._certificate_context() if is_encrypted(url) or (proxy and is_encrypted(proxy)) else True,
        )

    async def close(self) -> None:
        """Closes the connections. No request may follow."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    def _certificate_context(self) -> ssl.SSLContext:
        # Reading a file of certificates takes 20 ms, so it waits for the first connection that needs them.
        if self._certificates is None:
            self._certificates = certificate_context(self._environ)
        return self._certificates

    def _open_session(self) -> ClientSession:
        import aiohttp

        times = self._timeouts
        return aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(times.total, sock_connect=times.connect, sock_read=times.idle),
            connector=aiohttp.TCPConnector(limit=0),
            auto_decompress=False,
            skip_auto_headers=_AUTOMATIC,
            cookie_jar=aiohttp.DummyCookieJar(),
        )


def is_encrypted(url: str) -> bool:
    """Returns whether connections to an address use TLS."""
    return url[:6].lower() == "https:"


def certificate_context(environ: Mapping[str, str]) -> ssl.SSLContext:
    """The certificates of the system, and those that the environment adds: agents that run on Node read the latter."""
    context = ssl.create_default_context()
    names = ("SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
    for path in dict.fromkeys(environ.get(name) for name in names):  # They often name the same file.
        if path:
            with suppress(OSError):  # An unreadable file is reported by the connection that needs it.
                context.load_verify_locations(path)
    return context
