"""The loop over standard input and output, and how the process ends.

pygls' own loop reads in the pool that its thread handlers use, knows headers in one spelling only, and always exits
with status 0. This one reads in a thread of its own, so that nothing a handler does can stop the reading.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import suppress

from pygls.io_ import StdoutWriter

from ttsr_ls.lsp.request_priority import RequestPriority
from ttsr_ls.lsp.transport.framing import FramingError, MessageDecoder
from ttsr_ls.lsp.transport.protocol import Protocol

logger = logging.getLogger(__name__)

_CHUNK = 64 * 1024
# How many messages wait at most; after that the client's pipe fills up, which slows it down.
_WAITING = 256


def serve_stdio(protocol: Protocol, priority: RequestPriority) -> int:
    """Serves one client until it says `exit` or its end closes; returns the exit status.

    0 where `shutdown` came before, as the protocol asks, and 1 otherwise.
    """
    return asyncio.run(_serve(protocol, sys.stdin.fileno(), priority))


async def _serve(protocol: Protocol, descriptor: int, priority: RequestPriority) -> int:
    loop = asyncio.get_running_loop()
    messages: asyncio.Queue[bytes | None] = asyncio.Queue()
    room = threading.Semaphore(_WAITING)

    arrived: deque[bytes] = deque()

    def deliver() -> None:
        while arrived:
            messages.put_nowait(arrived.popleft())

    def read() -> None:
        # The loop is not waited for at each message, and is not woken for each that comes while it wakes: while other
        # threads are busy, each change of threads takes long.
        try:
            for body in _messages(descriptor):
                room.acquire()
                priority.begin()
                arrived.append(body)
                if len(arrived) == 1:
                    loop.call_soon_threadsafe(deliver)
        except FramingError as error:
            logger.error("cannot read on: %s", error)
        except OSError as error:
            logger.warning("the input broke: %s", error)
        except RuntimeError:
            return  # The loop is gone: the process ends.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(messages.put_nowait, None)

    def wake() -> None:
        # The loop waits for a message that will not come.
        messages.put_nowait(None)

    protocol.on_end = wake
    protocol.set_writer(StdoutWriter(sys.stdout.buffer))
    # A daemon: a thread that waits for input must not keep the process from ending.
    threading.Thread(target=read, name="ttsr-ls reader", daemon=True).start()
    try:
        while not protocol.exited and (body := await messages.get()) is not None:
            room.release()
            _handle(protocol, body)
            await asyncio.sleep(0)  # Answers do not wait until all that was read is handled.
            priority.end()
    except BrokenPipeError:
        logger.warning("the client closed its end")
    finally:
        protocol.close()
    return 0 if protocol.was_shut_down else 1


def _handle(protocol: Protocol, body: bytes) -> None:
    try:
        protocol.receive(body)
    except BrokenPipeError:
        raise
    except Exception:
        # A mistake of ours in one message must not take the person's other documents down with it.
        logger.exception("a message was not handled")


def _messages(descriptor: int) -> Iterator[bytes]:
    # Not through `sys.stdin`: the interpreter aborts at its end where a daemon thread holds the lock of its buffer.
    decoder = MessageDecoder()
    while data := os.read(descriptor, _CHUNK):
        yield from decoder.feed(data)
