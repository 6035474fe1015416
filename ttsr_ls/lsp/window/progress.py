"""Progress of long work, for clients that show it (`window/workDoneProgress`)."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from ttsr_ls.lsp.server import Server

Token = str | int


class WorkProgress:
    """The progress of one piece of work. Used on the loop only.

    `token` is that of the client's request, and lets the client cancel the work. Without it, the server requests the
    client to show the progress, if the client supports that; the work does not wait for the response.
    """

    def __init__(self, server: Server, title: str, token: Token | None = None) -> None:
        self._server = server
        self._title = title
        self._is_requested = token is not None
        self._token: Token = secrets.token_hex(8) if token is None else token
        self._is_shown = False
        self._is_over = False
        self._percentage = 0
        self._done = (0, 1)

    @property
    def is_cancelled(self) -> bool:
        """True if the client cancelled the work (`window/workDoneProgress/cancel`)."""
        future = self._server.work_done_progress.tokens.get(self._token)
        return self._is_requested and future is not None and future.cancelled()

    def begin(self) -> None:
        """Shows the progress in the client."""
        if self._is_requested:
            self._show()
        elif self._server.client.shows_progress:
            self._server.start(self._create())

    def report(self, done_count: int, total: int) -> None:
        """Reports that `done_count` of `total` parts of the work are done."""
        self._done = done_count, total
        percentage = 100 * done_count // max(total, 1)
        if self._is_shown and percentage > self._percentage:
            self._percentage = percentage
            report = types.WorkDoneProgressReport(message=f"{done_count} of {total}", percentage=percentage)
            self._server.work_done_progress.report(self._token, report)

    def end(self) -> None:
        """Ends the progress: the work is finished or cancelled."""
        self._is_over = True
        if self._is_shown:
            self._is_shown = False
            self._server.work_done_progress.end(self._token, types.WorkDoneProgressEnd())
        self._server.work_done_progress.tokens.pop(self._token, None)

    async def _create(self) -> None:
        try:
            # Shielded: pygls fails on the response to a request whose future was cancelled.
            await asyncio.shield(self._server.work_done_progress.create_async(self._token))
        except JsonRpcException:
            return  # The client refused to show the progress.
        if self._is_over:
            self._server.work_done_progress.tokens.pop(self._token, None)
        else:
            self._show()

    def _show(self) -> None:
        self._is_shown = True
        begin = types.WorkDoneProgressBegin(title=self._title, cancellable=self._is_requested, percentage=0)
        self._server.work_done_progress.begin(self._token, begin)
        self.report(*self._done)
