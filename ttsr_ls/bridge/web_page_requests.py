"""Recognises requests that a web page made: it can send them to loopback, where our servers listen."""

from __future__ import annotations

from collections.abc import Mapping


def is_of_web_page(headers: Mapping[str, str]) -> bool:
    """Returns whether a browser made a request for a page.

    Browsers send no `Origin` with images, scripts, and links. They do send `Sec-Fetch-Site`, which is `none` for an
    address that the user typed. Node's `fetch` sends `Sec-Fetch-Mode` alone.
    """
    return "Origin" in headers or headers.get("Sec-Fetch-Site", "none") != "none"
