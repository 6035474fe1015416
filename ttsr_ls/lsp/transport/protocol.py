"""The message layer: changes five behaviours of pygls.

- A request that cannot be read is answered with an error; with pygls, the editor waits for ever.
- The server stores the documents itself, so the document store of pygls is disabled.
- The params of custom messages are plain JSON values; pygls converts them to named tuples.
- The message of an error is safe to display; pygls repeats the method and the params as they came.
- The result of a command is freed once it is sent; pygls keeps it until the server ends.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Generator
from functools import partial
from typing import TYPE_CHECKING, Any

import attrs
from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, lsp_method

from ttsr_ls.lsp.transport.message_text import message_text

if TYPE_CHECKING:
    from concurrent.futures import Future

    from cattrs import Converter
    from pygls.lsp.server import LanguageServer
    from pygls.protocol.json_rpc import MessageCallback, MessageHandler, MsgId

logger = logging.getLogger(__name__)

_DISABLED_FEATURES = (
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
    types.NOTEBOOK_DOCUMENT_DID_OPEN,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS,
)


@attrs.define
class CustomNotification:
    """A notification of our own; `params` is JSON as `json.loads` gives it."""

    method: str
    params: Any = None
    jsonrpc: str = "2.0"


@attrs.define
class CustomRequest:
    """A request of our own; `params` is JSON as `json.loads` gives it."""

    id: str | int
    method: str
    params: Any = None
    jsonrpc: str = "2.0"


class Protocol(LanguageServerProtocol):
    """The protocol of this server."""

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        super().__init__(server, converter)
        self.exited = False
        self.on_close: list[Callable[[], None]] = []
        self.on_end: Callable[[], None] = _nothing
        """Called when the session ends without a message of the client."""
        self._initialized = False
        self._custom: set[str] = set()
        for method in _DISABLED_FEATURES:
            del self.fm.builtin_features[method]

    @property
    def was_shut_down(self) -> bool:
        """True if the client asked for `shutdown`."""
        return self._shutdown

    def add_custom_message(self, method: str) -> None:
        """Makes `method` a notification or request whose params stay plain JSON."""
        self._custom.add(method)

    def receive(self, body: bytes) -> None:
        """Handles one message. An invalid request is answered with an error."""
        try:
            data = json.loads(body)
        except (ValueError, RecursionError) as error:
            self._refuse(None, JsonRpcParseError(f"the message is not JSON: {error}"))
            return
        if not isinstance(data, dict) or data.get("jsonrpc") != self.VERSION:
            self._refuse(None, JsonRpcInvalidRequest("the message is not a JSON-RPC 2.0 object"))
            return
        if "id" in data and "method" in data:
            self._receive_request(data, data["method"], data["id"])
        elif "method" in data:
            self._receive_notification(data, data["method"])
        else:
            self._receive_response(data)

    def _receive_request(self, data: dict[str, Any], method: object, identity: object) -> None:
        try:
            self._check_request(method, identity)
            if method in self._custom:
                self.handle_message(CustomRequest(data["id"], data["method"], data.get("params")))
                return
            message = self.structure_message(data)
        except JsonRpcException as error:
            # A client that shuts the server down may have sent a request that crosses the answer.
            level = logging.INFO if self._shutdown else logging.WARNING
            self._refuse(identity if isinstance(identity, str | int) else None, error, level)
        else:
            # Only now: a client whose `initialize` could not be read may send it again.
            self._initialized |= method == types.INITIALIZE
            self.handle_message(message)

    def _receive_notification(self, data: dict[str, Any], method: object) -> None:
        if not isinstance(method, str) or not self._is_handled(method):
            return  # The protocol has a server ignore unknown notifications.
        if method != types.EXIT and (self._shutdown or not self._initialized):
            return
        if method == types.CANCEL_REQUEST:
            self._cancel(data.get("params"))
            return
        if method in self._custom:
            self.handle_message(CustomNotification(method, data.get("params")))
            return
        try:
            message = self.structure_message(data)
        except JsonRpcException as error:
            logger.warning("cannot read the notification %r: %s", method, error)
        else:
            self.handle_message(message)

    def _cancel(self, params: object) -> None:
        """Cancels a request. A notification that names no pending request is ignored."""
        identity = params.get("id") if isinstance(params, dict) else None
        if isinstance(identity, str | int):
            self._handle_cancel_notification(identity)
        else:
            logger.warning("a cancel notification names no request")

    def _receive_response(self, data: dict[str, Any]) -> None:
        if self._shutdown or not isinstance(data.get("id"), str | int):
            return  # Nobody waits for it, or it is no response to a request of this server.
        try:
            message = self.structure_message(data)
        except JsonRpcException as error:
            logger.warning("cannot read an answer: %s", error)
        else:
            self.handle_message(message)

    def end(self) -> None:
        """Ends the session, because the client is gone."""
        self.exited = True
        self.on_end()

    def close(self) -> None:
        """Calls the functions that release resources for the client."""
        for action in self.on_close:
            action()

    def _execute_handler(
        self,
        msg_id: MsgId,
        handler: MessageHandler,
        callback: MessageCallback,
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Runs a handler, and forgets its future when it is done: pygls keeps the futures of its own handlers."""
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.add_done_callback(partial(self._forget, msg_id))

    def _forget(self, msg_id: MsgId, future: Future[Any]) -> None:
        if self._request_futures.get(msg_id) is future:
            del self._request_futures[msg_id]
        if not future.cancelled():
            future.exception()  # Retrieved, because asyncio logs an exception that nobody retrieved.

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: object) -> Generator[Any, Any, None]:
        """Ends the loop; the exit status says whether `shutdown` came first."""
        self.exited = True
        yield from ()

    def _is_handled(self, method: str) -> bool:
        known = method in self.fm.builtin_features or method in self.fm.features
        return known or method == types.CANCEL_REQUEST

    def _check_request(self, method: object, identity: object) -> None:
        if not isinstance(method, str) or not isinstance(identity, str | int):
            raise JsonRpcInvalidRequest("a request needs a method and an id")
        if self._shutdown:
            raise JsonRpcInvalidRequest("the server is shut down")
        if method == types.INITIALIZE:
            if self._initialized:
                raise JsonRpcInvalidRequest("the server is initialized already")
        elif not self._initialized:
            raise JsonRpcServerNotInitialized("the first request must be 'initialize'")
        if not self._is_handled(method):
            raise JsonRpcMethodNotFound.of(method)

    def _refuse(self, identity: str | int | None, error: JsonRpcException, level: int = logging.WARNING) -> None:
        logger.log(level, "refused a message: %s", error)
        if identity is None:
            # The id of such a request is unknown and has to be null in the response; lsprotocol omits null.
            body = {"code": error.code, "message": message_text(error.message)}
            self._send_data({"jsonrpc": self.VERSION, "id": None, "error": body})
        else:
            self._send_response(identity, error=error.to_response_error())

    def _send_response(
        self, msg_id: MsgId, result: Any | None = None, error: types.ResponseError | None = None
    ) -> None:
        """Answers a request with a result or an error."""
        if error is not None:
            error = attrs.evolve(error, message=message_text(error.message))
        super()._send_response(msg_id, result, error)


def _nothing() -> None:
    """Does nothing: no loop waits for messages."""
