"""The permitted upstream addresses, under paths with a secret token, so that the proxy is no open relay."""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from msgspec import Struct

from ttsr_ls.errors import UsageError

_NAME = re.compile(r"[a-z0-9_-]{1,40}")
_PATH = re.compile(r"/s/([^/?#]{1,200})/([^/?#]{1,40})((?:/[^?#]*)?(?:\?.*)?)", re.DOTALL)
PUBLIC_UPSTREAMS = {
    "anthropic": "https://api.anthropic.com",
    "openai": "https://api.openai.com",
    "gemini": "https://generativelanguage.googleapis.com",
}
"""The addresses of the providers, without the path of the API, such as `/v1`."""


class ProxyRoutes(Struct, frozen=True):
    """The addresses by name. A request is `/s/TOKEN/NAME/PATH`; it goes to the address with `PATH` behind it."""

    token: str
    upstreams: Mapping[str, str]

    def resolve_target(self, raw_path: str) -> tuple[str, str] | None:
        """The address for a request, and its path there without the query; None without the right token and name."""
        match = _PATH.fullmatch(raw_path)
        if match is None or not self.is_token(match[1]) or match[2] not in self.upstreams:
            return None
        rest = match[3]
        path, _, _ = rest.partition("?")
        if any(part in (".", "..") for part in re.split(r"/|%2[fF]", path)):
            return None
        return self.upstreams[match[2]] + rest, path

    def is_token(self, input_text: str) -> bool:
        """Compares a string with the token in constant time."""
        return hmac.compare_digest(input_text.encode("utf-8", "surrogatepass"), self.token.encode())

    def base_url(self, port: int, name: str, path: str = "") -> str:
        """The base address to configure in a client for an upstream."""
        return f"http://127.0.0.1:{port}/s/{self.token}/{name}{path}"


def validate_upstream(name: str, url: str) -> str:
    """Returns the address without a slash at its end. Raises UsageError if it is not an HTTP address."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"'{name}' cannot name an upstream; use up to 40 lower-case letters, digits, - and _")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise UsageError(f"'{url}' is no address of an upstream; write it as https://HOST/PATH")
    if parts.username or parts.password:
        raise UsageError("the address of an upstream must not hold a password; agents send their keys in headers")
    return url.rstrip("/")
