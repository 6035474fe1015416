"""The hook server: one process of a user answers the hooks of all agents, on loopback, for clients with the token.

`POST /AGENT` takes the input of a hook and answers in the agent's format. `GET /` returns the state. The token is in
the header `Authorization: Bearer TOKEN`. Hooks of earlier versions have it in the path, as `/TOKEN/AGENT`.
"""

from __future__ import annotations

import asyncio
import hmac
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from aiohttp import web

from ttsr_ls import __version__
from ttsr_ls.bridge.agent_hooks.client.failure_header import FAILURE_DENIES, FAILURE_HEADER
from ttsr_ls.bridge.agent_hooks.contract import CONTRACTS, HookContract, answer_body, hook_call, shorten, with_message
from ttsr_ls.bridge.agent_hooks.hook_call import Allowed, HookCall
from ttsr_ls.bridge.agent_hooks.open_sessions import HookResult, HookSessions
from ttsr_ls.bridge.watch.limit_messages import limit_message
from ttsr_ls.bridge.watch.notices import Notice, RulesReplacedNotice
from ttsr_ls.bridge.web_page_requests import is_of_web_page
from ttsr_ls.bridge.wire.json_lines import parse_object
from ttsr_ls.errors import UsageError
from ttsr_ls.features.judge.judge import Judge
from ttsr_ls.matching.disabled_condition import DisabledCondition
from ttsr_ls.session.history.turn_events import StreamMatchingEnded
from ttsr_ls.store.files.disk_reads import CHECK_AFTER
from ttsr_ls.store.hook_server_file import AUTHORIZATION_SCHEME, LOOPBACK, SERVICE, WRONG_TOKEN
from ttsr_ls.store.log.session_dirs import state_home
from ttsr_ls.store.open_hook_sessions import HookServerLock
from ttsr_ls.store.proxied_sessions import is_proxied

MAX_BODY = 32 * 1024 * 1024
"""The longest input of a hook, in bytes."""

_END_TIMEOUT = 2.0
"""How long the server waits for running hook calls when it ends, in seconds."""


class HookServer:
    """Serves hooks. `show` is called with a line for the user about each call that a rule decided."""

    def __init__(
        self, token: str, show: Callable[[str], None], check_after: float = CHECK_AFTER, judge: Judge | None = None
    ) -> None:
        self._token = token
        self._show = show
        self._sessions = HookSessions(frozenset(CONTRACTS), show, check_after, judge)
        self._check_after = check_after
        self._checking: asyncio.Task[None] | None = None
        """Checks rule files between calls."""
        self._answered = 0
        self._failed = 0

    def application(self) -> web.Application:
        """Returns the web application with the routes of hook calls."""
        application = web.Application(client_max_size=MAX_BODY)
        application.router.add_post("/{agent}", self._hook)
        application.router.add_post("/{agent}/judge", self._judge)
        application.router.add_get("/", self._state)
        application.router.add_post("/{token}/{agent}", self._hook)
        application.router.add_post("/{token}/{agent}/judge", self._judge)
        application.router.add_get("/{token}", self._state)
        application.on_cleanup.append(self._close)
        return application

    async def serve(
        self, port: int, started: Callable[[], None], ended: asyncio.Event, socket: Path | None = None
    ) -> None:
        """Serves on loopback until `ended` is set; calls `started` once it listens. Raises UsageError.

        `socket` is the path of a unix socket to listen on as well, which only its owner can connect to. If it cannot be
        created, the user is shown why, and only the port serves.
        """
        runner = web.AppRunner(self.application(), access_log=None, handle_signals=False, shutdown_timeout=_END_TIMEOUT)
        await runner.setup()
        lock: HookServerLock | None = None
        try:
            try:
                await web.TCPSite(runner, LOOPBACK, port).start()
            except OSError as error:
                raise UsageError(
                    f"cannot listen on {LOOPBACK}:{port}: {error.strerror}; name another port by --port, and install "
                    "the hooks again"
                ) from error
            if socket is not None:
                await self._listen_on(socket, runner)
            lock = self._record_sessions()
            started()
            await ended.wait()
        finally:
            try:
                await runner.cleanup()
            finally:  # Also if a second signal cancels the wait for clients.
                self._sessions.close()
                if lock is not None:
                    lock.release()
                if socket is not None:
                    _remove(socket)  # Only Python 3.13 does so by itself.

    def _record_sessions(self) -> HookServerLock | None:
        """Records the open sessions with a lock, so that editors see when this server is gone."""
        try:
            lock = HookServerLock(state_home(os.environ, Path.home()))
        except OSError as error:
            self._show(f"editors do not see whether this server runs: {error}")
            return None
        self._sessions.on_change = lock.record
        return lock

    async def _listen_on(self, socket: Path, runner: web.AppRunner) -> None:
        before = os.umask(0o177)
        try:
            _remove(socket)  # A killed server may have left it. No other server runs, as it would occupy the port.
            await web.UnixSite(runner, socket).start()
        except (OSError, NotImplementedError) as error:
            self._show(f"no unix socket at {socket}: {error}")
        finally:
            os.umask(before)

    async def _hook(self, request: web.Request) -> web.Response:
        read = await self._read_call(request)
        if isinstance(read, web.Response):
            return read
        agent, contract, call = read
        if _is_left_to_proxy(agent, call):
            return web.json_response(answer_body(contract, call, Allowed()))
        try:
            result = await asyncio.to_thread(self._sessions.decide, agent, call)
        except UsageError as error:
            return _problem(400, str(error))
        except Exception as error:  # The agent continues without a verdict, so the failure is shown and counted.
            self._failed += 1
            self._show(f"{agent} {call.event}: failed, and the call was not checked: {error!r}")
            return _problem(500, "the call was not checked: this is a bug in ttsr-ls")
        self._answered += 1
        if self._checking is None or self._checking.done():
            self._checking = asyncio.create_task(self._check_rules())
        self._report(agent, call.event, result)
        body = answer_body(contract, call, result.answer)
        message = " ".join(filter(None, [*map(_news, result.notices), result.warning]))
        if message:
            self._show(f"{agent} {call.session}: {message}")
            body = with_message(contract, body, f"ttsr-ls: {message}")
        return web.json_response(body)

    async def _check_rules(self) -> None:
        """Checks rule files between calls, more often than calls do, so that no call waits for the disk."""
        try:
            while self._check_after:
                await asyncio.sleep(self._check_after / 2)
                if not await asyncio.to_thread(self._sessions.check_rules):
                    return
        except Exception as error:  # The next call checks the files itself.
            self._show(f"changed rule files could not be read: {error!r}")

    async def _judge(self, request: web.Request) -> web.Response:
        """Answers the judge hook with the text that wakes the agent; blank if no rule is broken."""
        read = await self._read_call(request)
        if isinstance(read, web.Response):
            return read
        agent, _, call = read
        if _is_left_to_proxy(agent, call):
            return web.Response(text="")
        try:
            warning = await self._sessions.judge(agent, call)
        except UsageError as error:
            return _problem(400, str(error))
        if warning:
            self._show(f"{agent} {call.event}: the judge found a rule broken, and the agent is woken")
        return web.Response(text=shorten(warning))

    async def _read_call(self, request: web.Request) -> tuple[str, HookContract, HookCall] | web.Response:
        """Returns the agent, its contract, and its hook call; a refusal if the request cannot be read."""
        self._check(request)
        agent = request.match_info["agent"]
        contract = CONTRACTS.get(agent)
        if contract is None:
            return _problem(404, f"no agent is called {agent}; known are {', '.join(sorted(CONTRACTS))}")
        message = parse_object(await request.read())
        if isinstance(message, str):
            return _problem(400, f"the input of the hook cannot be read: {message}")
        fails_closed = request.headers.get(FAILURE_HEADER) == FAILURE_DENIES
        call = hook_call(contract, message, home=str(Path.home()), needs_complete_check=fails_closed)
        return agent, contract, call

    async def _state(self, request: web.Request) -> web.Response:
        self._check(request)
        state: dict[str, Any] = {
            "service": SERVICE,
            "version": __version__,
            "pid": os.getpid(),
            "sessions": len(self._sessions),
            "answered": self._answered,
            "failed": self._failed,
        }
        return web.json_response(state)

    def _check(self, request: web.Request) -> None:
        scheme, _, credentials = request.headers.get("Authorization", "").partition(" ")
        token = credentials if scheme == AUTHORIZATION_SCHEME else request.match_info.get("token", "")
        if not hmac.compare_digest(token.encode("utf-8", "surrogatepass"), self._token.encode()):
            raise web.HTTPForbidden(text=f"{WRONG_TOKEN}\n")
        if is_of_web_page(request.headers):
            raise web.HTTPForbidden(text="requests of web pages are refused\n")

    def _report(self, agent: str, event: str, result: HookResult) -> None:
        rules = getattr(result.answer, "rules", ())
        if rules:
            self._show(f"{agent} {event}: {type(result.answer).__name__} because of {', '.join(rules)}")

    async def _close(self, _: web.Application) -> None:
        if self._checking is not None:
            self._checking.cancel()
        await asyncio.to_thread(self._sessions.close)


def _is_left_to_proxy(agent: str, call: HookCall) -> bool:
    """Returns whether a proxy enforces the session, so that its hooks record and decide nothing."""
    return is_proxied(state_home(os.environ, Path.home()), agent, call.session)


def _remove(socket: Path) -> None:
    with suppress(OSError):
        socket.unlink(missing_ok=True)


def _news(notice: Notice) -> str:
    """Returns the notice in a sentence if it tells the user which rules hold from now on; else a blank text."""
    match notice:
        case RulesReplacedNotice():
            return notice.changes.text
        case DisabledCondition() | StreamMatchingEnded():
            return limit_message(notice)
        case _:
            return ""


def _problem(status: int, message: str) -> web.Response:
    return web.json_response({"error": message}, status=status)
