"""What may be shown of headers: no key, no cookie."""

from __future__ import annotations

from collections.abc import Iterable

_SECRET = ("auth", "key", "token", "cookie", "secret", "password", "signature", "credential")
REDACTED = "[redacted]"


def shown_headers(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Headers as a log or an export may have them. A name that sounds like a secret is one."""
    return {name: REDACTED if _is_secret(name) else value for name, value in headers}


def _is_secret(name: str) -> bool:
    lower = name.lower()
    return any(word in lower for word in _SECRET)
