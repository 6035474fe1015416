"""The server object: the shared state of all handlers, without logic. `methods` implements each method."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcInternalError
from pygls.lsp.server import LanguageServer

from ttsr_ls import __version__
from ttsr_ls.ide.runs.run_board import RunBoard
from ttsr_ls.ide.triggers.trigger_board import TriggerBoard
from ttsr_ls.ide.workspace import Workspace
from ttsr_ls.lsp.analysis.analyses import Analyses
from ttsr_ls.lsp.analysis.closed_rules import ClosedRules
from ttsr_ls.lsp.analysis.prepared_diagnostics import PreparedDiagnostics
from ttsr_ls.lsp.client import Client
from ttsr_ls.lsp.match_counts.match_counts import MatchCounts
from ttsr_ls.lsp.options import Options
from ttsr_ls.lsp.rule_names.requested_renames import RequestedRenames
from ttsr_ls.lsp.runs.announcing import Announcer
from ttsr_ls.lsp.runs.hosted_events import HostedEvents
from ttsr_ls.lsp.runs.streamed_agents import StreamedAgents
from ttsr_ls.lsp.threads.request_priority import RequestPriority
from ttsr_ls.lsp.threads.worker_threads import WorkerThreads
from ttsr_ls.lsp.transport.message_converter import message_converter
from ttsr_ls.lsp.transport.message_text import message_text
from ttsr_ls.lsp.transport.protocol import Protocol
from ttsr_ls.lsp.workspace_files import WorkspaceFiles

if TYPE_CHECKING:
    from ttsr_ls.ide.triggers.target_location import TargetText
    from ttsr_ls.lsp.trial.text_trials import TextTrials

logger = logging.getLogger(__name__)
T = TypeVar("T")

TRACEBACK = "ttsr_traceback"
"""The attribute of a log record that has a traceback as text."""


class Server(LanguageServer):
    """A language server for one client. Everything on it is used on the loop only."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__(
            "ttsr-ls",
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Full,
            protocol_cls=Protocol,
            converter_factory=message_converter,
        )
        self.client = Client()
        self.options = Options()
        self.current = Workspace()
        self.board = TriggerBoard()
        self.runs = RunBoard()
        self.streamed_agents = StreamedAgents(self.start)
        self.hosted_events = HostedEvents()
        self.changed_runs: set[str] = set()
        """The ids of changed sessions about which the client will be notified."""
        self.refreshes_lenses_soon = False
        self.target_texts: dict[str, TargetText] = {}
        """The texts of files with triggers, and the positions of these, by resolved path."""
        self.cleared: dict[str, int] = {}
        """By session log, or folder with runs of plugins, the last record whose triggers were cleared."""
        self.cleared_runs: dict[str, int] = {}
        """By session log, the last record of a cleared session."""
        self.announcer = Announcer(self)
        self.files = WorkspaceFiles()
        self.requested_renames = RequestedRenames()
        self.published: set[str] = set()
        """The documents with pushed diagnostics."""
        self.publishing: set[str] = set()
        """The documents with a scheduled push, which will be of their newest version."""
        self.newest_reads: dict[str, object] = {}
        """By document, the identity of the newest unfinished read of its file for a push."""
        self.pulled: set[str] = set()
        """The documents that the client pulled since the last report of `workspace/diagnostic`."""
        self.reported_empty: set[str] = set()
        """The open documents whose file is gone, and that `workspace/diagnostic` reported as empty."""
        self.announced_open: set[str] = set()
        """The documents that only `ttsr/didOpen` announced."""
        self.logged_mistakes: set[str] = set()
        """The problems of configurations of which the user was notified; each is shown once."""
        self.is_started = False
        """Whether `initialized` was received."""
        self.stop_following: Callable[[], None] = _nothing
        """Ends the following of session logs."""
        self.loop: asyncio.AbstractEventLoop | None = None
        """The loop, from `initialize` on."""
        self.priority = RequestPriority()
        self.prepared = PreparedDiagnostics(lambda: self.client)
        self.analyses = Analyses(
            lambda: self.current, lambda: self.client.registers_watched_files, self.priority, self.prepared
        )
        self.closed_rules = ClosedRules(self.analyses)
        self.match_counts = MatchCounts(self)
        self.held: set[asyncio.Task[Any]] = set()
        """Tasks of requests that are held until there are changes to report."""
        self._threads = WorkerThreads(self.priority)
        self._tasks: set[asyncio.Task[None]] = set()
        self.protocol.on_close.append(self._close)

    @cached_property
    def trials(self) -> TextTrials:
        """Tries rules on texts; created at the first request."""
        # Imported lazily: it takes long to import, and the answer to `initialize` must not wait for it.
        from ttsr_ls.lsp.trial.text_trials import TextTrials

        text_trials = TextTrials()
        self.protocol.on_close.append(text_trials.close)
        return text_trials

    async def run_in_thread(self, function: Callable[..., T], *arguments: object) -> T:
        """Runs a pure function in a thread, so that the loop stays free."""
        return await asyncio.get_running_loop().run_in_executor(self._threads.answers, function, *arguments)

    async def run_check(self, function: Callable[..., T], *arguments: object) -> T:
        """Runs a pure function that checks a document in a thread of its own pool, so that requests need not wait."""
        return await asyncio.get_running_loop().run_in_executor(self._threads.checks, function, *arguments)

    async def run_long(self, function: Callable[..., T], *arguments: object) -> T:
        """Runs a pure function that can take minutes in a thread of its own pool, so that requests need not wait."""
        return await asyncio.get_running_loop().run_in_executor(self._threads.long_work, function, *arguments)

    async def off_loop_first(self, function: Callable[..., T], *arguments: object) -> T:
        """Runs a pure function in a thread for a waiting user; analyses wait until its request is answered."""
        self.priority.begin()
        try:
            return await self.run_in_thread(function, *arguments)
        finally:
            # The answer is sent in the next iteration of the loop.
            loop = asyncio.get_running_loop()
            loop.call_soon(loop.call_soon, self.priority.end)

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Starts a background task; its errors are logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Logs an error. pygls would show it in a window, possibly at each keystroke."""
        place = error.data.get("traceback", ()) if isinstance(error, JsonRpcInternalError) and error.data else ()
        extra = {TRACEBACK: "".join(place)}
        logger.error("%s: %s", getattr(source, "__name__", source), error, extra=extra)

    def notify_user(self, kind: types.MessageType, message: str) -> None:
        """Shows a message to the user."""
        self.window_show_message(types.ShowMessageParams(kind, message_text(message)))

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("work in the background failed", exc_info=error)

    def _close(self) -> None:
        self.stop_following()
        self.announcer.close()
        for task in (*self._tasks, *self.held):
            task.cancel()
        self.analyses.close()
        self.match_counts.close()
        self._threads.close()


def _nothing() -> None:
    """Does nothing: no following has begun."""
