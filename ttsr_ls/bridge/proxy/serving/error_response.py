"""Errors of the proxy itself, as clients of all wires show them."""

from __future__ import annotations

import asyncio
import json

from aiohttp import web


def error_response(request: web.Request, status: int, message: str) -> web.Response:
    """An error in a form that clients of all wires show."""
    error = {"type": "api_error" if status >= 500 else "invalid_request_error", "message": message, "code": status}
    if request.transport is None:
        raise asyncio.CancelledError
    return web.Response(
        status=status, text=json.dumps({"type": "error", "error": error}), content_type="application/json"
    )


def without_url(error: BaseException) -> str:
    """Returns the text of an error without URLs, whose query may contain keys."""
    return type(error).__name__ if "?" in str(error) else str(error) or type(error).__name__
