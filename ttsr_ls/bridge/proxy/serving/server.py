"""The proxy server: one process, on loopback, for clients with the token.

`/s/TOKEN/NAME/PATH` goes to the upstream NAME. `GET /s/TOKEN` returns the state, `GET /s/TOKEN/metrics` the metrics.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
from collections.abc import Callable

import aiohttp
from aiohttp import web
from msgspec import Struct

from ttsr_ls import __version__
from ttsr_ls.bridge.host.clock import epoch_ms
from ttsr_ls.bridge.proxy.coverage import Coverage, CoverageCount
from ttsr_ls.bridge.proxy.exchange import ProxyExchange
from ttsr_ls.bridge.proxy.features.upstream_judge import CURRENT_ROUTE, JudgeRoute, UpstreamJudge
from ttsr_ls.bridge.proxy.proxy_limits import ProxyLimits
from ttsr_ls.bridge.proxy.proxy_notices import (
    AnswerEndedEarly,
    AnswerRetried,
    CallsAnswered,
    FollowUpAdded,
    ProtectionFailed,
    ProxyNotice,
    ReminderAdded,
)
from ttsr_ls.bridge.proxy.proxy_session import ProxySession
from ttsr_ls.bridge.proxy.requests.conversation import Conversation
from ttsr_ls.bridge.proxy.requests.fragments import RequestUnreadable
from ttsr_ls.bridge.proxy.serving.error_response import error_response, without_url
from ttsr_ls.bridge.proxy.serving.open_sessions import ProxySessions, ProxyWorkspace
from ttsr_ls.bridge.proxy.serving.proxied_request import AnswerUnreadable, ProxiedRequest, relay_uninspected
from ttsr_ls.bridge.proxy.serving.routes import ProxyRoutes
from ttsr_ls.bridge.proxy.serving.session_identity import session_identity
from ttsr_ls.bridge.proxy.serving.upstream import Upstream, request_headers
from ttsr_ls.bridge.proxy.wires import ProxyWire, wire_of
from ttsr_ls.bridge.web_page_requests import is_of_web_page
from ttsr_ls.errors import UsageError
from ttsr_ls.rules.rule import Rule
from ttsr_ls.store.files.disk_reads import CHECK_AFTER

SERVICE = "ttsr-ls proxy"
_MAX_HEADER_LENGTH = 64 * 1024
_NO_LOGGER = logging.Logger("ttsr-ls proxy", logging.CRITICAL + 1)
"""Malformed requests get an error response. aiohttp would also print a trace, over the agent's screen."""


class ProxyOptions(Struct, frozen=True):
    """The options of the proxy. `refuses_unparsed`: a request that cannot be read is refused, and not passed on."""

    host: str = "127.0.0.1"
    port: int = 0
    refuses_unparsed: bool = False
    limits: ProxyLimits = ProxyLimits()
    check_after: float = CHECK_AFTER


class ProxyServer:
    """Serves one workspace. `show` is called with each notice for the user."""

    def __init__(
        self, routes: ProxyRoutes, workspace: ProxyWorkspace, options: ProxyOptions, show: Callable[[ProxyNotice], None]
    ) -> None:
        self._routes = routes
        self._options = options
        self._keeps_content = workspace.keeps_content
        self._show_notice = show
        self.count = CoverageCount()
        self._upstream = Upstream(options.limits.upstream)
        judge = None if workspace.judge is None else UpstreamJudge(self._upstream, workspace.judge)
        self._sessions = ProxySessions(
            workspace,
            options.limits,
            self._show,
            options.check_after,
            judge,
            self.count.evolve,
            refuses_unparsed=options.refuses_unparsed,
        )
        self._default_session = f"run-{secrets.token_hex(4)}" if workspace.shared is None else "shared"
        """The session of requests without a session id."""
        self._failed: set[str] = set()
        """Sessions that are not inspected any more, because of a bug in the proxy."""
        self._runner: web.AppRunner | None = None
        self.port = 0

    async def start(self) -> None:
        """Listens. Raises UsageError."""
        application = web.Application(client_max_size=self._options.limits.request)
        application.router.add_route("*", "/{path:.*}", self._handle)
        self._runner = web.AppRunner(
            application,
            access_log=None,
            logger=_NO_LOGGER,
            max_line_size=_MAX_HEADER_LENGTH,
            max_field_size=_MAX_HEADER_LENGTH,
            handle_signals=False,
            handler_cancellation=True,
            shutdown_timeout=1.0,
            auto_decompress=False,  # Bodies are forwarded unchanged, with their Content-Encoding.
        )
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, host := self._options.host, port := self._options.port).start()
        except (OSError, ValueError) as error:
            await self._runner.cleanup()
            reason = error.strerror if isinstance(error, OSError) else error
            raise UsageError(f"cannot listen on {host}:{port}: {reason}; name another host or port") from error
        self.port = self._runner.addresses[0][1]

    def rules(self, kind: str) -> tuple[Rule, ...]:
        """The rules for an agent of a kind in the workspace, read now."""
        return self._sessions.rules.rules_for(kind).rules

    async def close(self) -> None:
        """Ends all requests and closes all sessions."""
        try:
            if self._runner is not None:
                await self._runner.cleanup()
        finally:  # Also if a second signal cancels the wait for clients.
            self._sessions.close()
            await self._upstream.close()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        if is_of_web_page(request.headers):
            raise web.HTTPForbidden(text="requests of web pages are refused\n")
        response = self._status_page(request)
        if response is not None:
            return response
        target = self._routes.resolve_target(request.raw_path)
        if target is None:
            raise web.HTTPForbidden(text="wrong token, or an upstream that is not configured\n")
        if self.count.active >= self._options.limits.streams:
            raise web.HTTPServiceUnavailable(text="too many requests at once\n", headers={"Retry-After": "1"})
        self.count.active += 1
        try:
            return await self._dispatch(request, *target)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            self.count.upstream_errors += 1
            return error_response(request, 502, f"ttsr-ls cannot reach the model's server: {without_url(error)}")
        finally:
            self.count.active -= 1

    def _status_page(self, request: web.Request) -> web.Response | None:
        parts = request.path.split("/")
        if len(parts) < 3 or parts[1] != "s" or request.method != "GET" or not self._routes.is_token(parts[2]):
            return None
        match parts[3:]:
            case [] | [""]:
                program = {"service": SERVICE, "version": __version__, "pid": os.getpid()}
                return web.json_response({**program, "sessions": len(self._sessions), **self.count.state()})
            case ["metrics"]:
                return web.Response(text=self.count.metrics(), content_type="text/plain")
            case _:
                return None

    async def _dispatch(self, request: web.Request, url: str, path: str) -> web.StreamResponse:
        body = await request.read()
        wire = wire_of(request.method, path)
        if wire is None:
            self._count_irrelevant(session_identity(request.headers, {}).session)
            return await self._pass_through(request, url, body)
        try:
            if request.headers.get("Content-Encoding", "identity") != "identity":
                raise RequestUnreadable("it is compressed")
            conversation = wire.requests.read(body)
        except RequestUnreadable as error:
            session = session_identity(request.headers, {}).session or self._default_session
            return await self._handle_unparsed(request, url, body, str(error), session)
        identity = session_identity(request.headers, conversation.fields)
        session = identity.session or self._default_session
        if not conversation.has_tools:
            self._count_irrelevant(session)
            return await self._pass_through(request, url, body)
        if session in self._failed:
            return await self._handle_unparsed(request, url, body, "the proxy failed in this session before", session)
        try:
            return await self._inspect(request, url, wire, body, conversation, session, identity.agent)
        except (aiohttp.ClientError, TimeoutError, OSError, asyncio.CancelledError, web.HTTPException):
            raise
        except Exception as error:  # A bug here must not stop the agent, but the user has to know of it.
            self._failed.add(session)
            bug = repr(error) if self._keeps_content else type(error).__name__
            self._show(ProtectionFailed(f"Rules are off in this session because of a bug in ttsr-ls: {bug}."))
            self._record_unparsed(session, f"of a bug in ttsr-ls ({type(error).__name__})")
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=500)

    async def _inspect(
        self,
        request: web.Request,
        url: str,
        wire: ProxyWire,
        body: bytes,
        conversation: Conversation,
        session: str,
        agent: str,
    ) -> web.StreamResponse:
        now = epoch_ms()
        opened = self._sessions.get_or_open(session, now)
        refuses = self._options.refuses_unparsed
        with opened.lock:
            exchange = ProxyExchange(opened.session, wire, body, conversation, agent, now, refuses_unread=refuses)
        headers = request_headers(request.headers.items(), is_inspected=True)
        CURRENT_ROUTE.set(JudgeRoute(wire.api, url, tuple(headers)))
        proxied_request = ProxiedRequest(
            request,
            opened,
            exchange,
            self._upstream,
            url,
            headers,
            self._options.limits,
            self.count,
            refuses_unread=refuses,
            keeps_content=self._keeps_content,
        )
        try:
            return await proxied_request.answer()
        except AnswerUnreadable as error:
            return error_response(request, 502, f"ttsr-ls refuses this answer, because {error}")
        finally:
            self._count_inspected(proxied_request, exchange, session)

    def _count_inspected(self, request: ProxiedRequest, exchange: ProxyExchange, session: str) -> None:
        if request.unread is not None:
            self._report_unparsed(str(request.unread), session)
            return
        self.count.requests[Coverage.INSPECTED] += 1
        self._record_in_session(session, lambda opened, now: opened.count_request(Coverage.INSPECTED, now))
        if exchange.unread_events:
            self._record_unparsed(session, "events of its answer could not be read")
            self.count.unread_events += exchange.unread_events
            outcome = "refused" if self._options.refuses_unparsed else "passed on without protection"
            self._show(ProtectionFailed(f"Events of an answer could not be read and were {outcome}."))

    def _count_irrelevant(self, session: str) -> None:
        self.count.requests[Coverage.IRRELEVANT] += 1
        if self._sessions.find(session) is not None:
            self._record_in_session(session, lambda opened, now: opened.count_request(Coverage.IRRELEVANT, now))

    def _record_unparsed(self, session: str, reason: str) -> None:
        self._record_in_session(session, lambda opened, now: opened.inspections.record_uninspected(reason, now))

    def _record_in_session(self, session: str, record: Callable[[ProxySession, int], None]) -> None:
        """Calls `record` with the session, which is opened if needed."""
        now = epoch_ms()
        opened = self._sessions.get_or_open(session, now)
        with opened.lock:
            record(opened.session, now)

    def _report_unparsed(self, reason: str, session: str) -> None:
        self.count.count_unparsed(reason)
        self._record_unparsed(session, reason)
        self._record_in_session(session, lambda opened, now: opened.count_request(Coverage.UNPARSED, now))
        outcome = "refused" if self._options.refuses_unparsed else "passed on without protection"
        self._show(ProtectionFailed(f"A request was {outcome}, because {reason}."))

    async def _pass_through(self, request: web.Request, url: str, body: bytes) -> web.StreamResponse:
        headers = request_headers(request.headers.items(), is_inspected=False)
        async with await self._upstream.request(request.method, url, headers, body) as answer:
            return await relay_uninspected(request, answer, self._options.limits)

    async def _handle_unparsed(
        self, request: web.Request, url: str, body: bytes, reason: str, session: str
    ) -> web.StreamResponse:
        self._report_unparsed(reason, session)
        if self._options.refuses_unparsed:
            return error_response(request, 400, f"ttsr-ls refuses this request, because {reason}")
        return await self._pass_through(request, url, body)

    def _show(self, notice: ProxyNotice) -> None:
        match notice:
            case AnswerRetried():
                self.count.retries += 1
            case AnswerEndedEarly():
                self.count.ended_early += 1
            case ReminderAdded():
                self.count.reminders += 1
            case CallsAnswered():
                self.count.answered_calls += len(notice.tools)
            case FollowUpAdded():
                self.count.follow_ups += 1
            case ProtectionFailed():
                self.count.failures += 1
        self._show_notice(notice)
