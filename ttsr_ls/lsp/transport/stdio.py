"""The loop over standard input and output, and how the process ends.

The loop of pygls reads in the pool of its thread handlers, accepts one spelling of headers only, and always exits with
status 0. This one reads in a thread of its own, so that no handler can block the reading.
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

from ttsr_ls.lsp.threads.request_priority import RequestPriority
from ttsr_ls.lsp.transport.framing import FramingError, MessageDecoder
from ttsr_ls.lsp.transport.protocol import Protocol

logger = logging.getLogger(__name__)

_CHUNK = 64 * 1024
# The most messages that wait; after that, the client's pipe fills up, which slows the client down.
_MAX_WAITING = 256


def serve_stdio(protocol: Protocol, priority: RequestPriority) -> int:
    """Serves one client until `exit` or the end of the input; returns the exit status.

    As the protocol demands, that is 0 after `shutdown`, and 1 otherwise.
    """
    return asyncio.run(_serve(protocol, sys.stdin.fileno(), priority))


async def _serve(protocol: Protocol, descriptor: int, priority: RequestPriority) -> int:
    loop = asyncio.get_running_loop()
    messages: asyncio.Queue[bytes | None] = asyncio.Queue()
    free_slots = threading.Semaphore(_MAX_WAITING)

    arrived: deque[bytes] = deque()

    def deliver() -> None:
        while arrived:
            messages.put_nowait(arrived.popleft())

    def read() -> None:
        # The thread does not wait for the loop, and wakes it once for several messages: a change of threads takes long
        # while other threads are busy.
        try:
            for body in _messages(descriptor):
                free_slots.acquire()
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
        # Ends the wait of the loop for the next message.
        messages.put_nowait(None)

    protocol.on_end = wake
    protocol.set_writer(StdoutWriter(sys.stdout.buffer))
    # A daemon thread: it waits for input, and must not keep the process alive.
    threading.Thread(target=read, name="ttsr-ls reader", daemon=True).start()
    try:
        while not protocol.exited and (body := await messages.get()) is not None:
            free_slots.release()
            _handle(protocol, body)
            await asyncio.sleep(0)  # Lets pending answers be sent before the next message is handled.
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
        # A defect in the handling of one message must not end the server.
        logger.exception("a message was not handled")


def _messages(descriptor: int) -> Iterator[bytes]:
    # Not through `sys.stdin`: the interpreter aborts at exit if a daemon thread holds the lock of its buffer.
    decoder = MessageDecoder()
    while data := os.read(descriptor, _CHUNK):
        yield from decoder.feed(data)
