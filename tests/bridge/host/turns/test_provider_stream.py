"""Interrupting a stream stops its reader at once, and leaves no cancellation in the reader's task."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest

from ttsr_ls.bridge.host.turns.provider_stream import ProviderStream, StreamInterrupted


async def silent() -> AsyncIterator[int]:
    await asyncio.Event().wait()
    yield 1


def cancellations() -> int:
    task = asyncio.current_task()
    assert task is not None
    return task.cancelling()


async def test_interrupting_stops_a_waiting_reader() -> None:
    stream = ProviderStream(silent())
    asyncio.get_running_loop().call_soon(stream.interrupt)
    with pytest.raises(StreamInterrupted):
        await stream.next()
    assert cancellations() == 0
    await asyncio.sleep(0.01)
    with pytest.raises(StreamInterrupted):
        await stream.next()


async def test_an_event_that_interrupts_its_own_stream_is_still_returned() -> None:
    async def events() -> AsyncIterator[int]:
        stream.interrupt()
        yield 1

    stream = ProviderStream(events())
    assert await stream.next() == 1
    await asyncio.sleep(0.01)  # Where a cancellation that is left over would show.
    assert cancellations() == 0
    with pytest.raises(StreamInterrupted):
        await stream.next()


async def test_a_stream_that_swallows_the_cancellation_leaves_no_count_of_it() -> None:
    async def events() -> AsyncIterator[int]:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            yield 1

    stream = ProviderStream(events())
    asyncio.get_running_loop().call_soon(stream.interrupt)
    assert await stream.next() == 1
    assert cancellations() == 0
    await asyncio.sleep(0.01)


async def test_a_stream_that_ignores_the_cancellation_is_cancelled_again() -> None:
    async def events() -> AsyncIterator[int]:
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        await asyncio.Event().wait()
        yield 1

    stream = ProviderStream(events())
    asyncio.get_running_loop().call_soon(stream.interrupt)
    async with asyncio.timeout(10):
        with pytest.raises(StreamInterrupted):
            await stream.next()
    assert cancellations() == 0


async def test_an_error_that_a_stream_makes_of_the_cancellation_is_an_interruption() -> None:
    async def events() -> AsyncIterator[int]:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise RuntimeError("the connection was closed") from None
        yield 1

    stream = ProviderStream(events())
    asyncio.get_running_loop().call_soon(stream.interrupt)
    with pytest.raises(StreamInterrupted):
        await stream.next()
    assert cancellations() == 0


@pytest.mark.parametrize("cut_first", [True, False])
async def test_a_cancellation_from_outside_reaches_the_reader_of_an_interrupted_stream(cut_first: bool) -> None:
    stream = ProviderStream(silent())
    reading = asyncio.create_task(stream.next())
    await asyncio.sleep(0.01)
    for act in (stream.interrupt, reading.cancel) if cut_first else (reading.cancel, stream.interrupt):
        act()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert reading.cancelled()


async def test_a_timeout_of_the_host_applies_to_an_interrupted_stream() -> None:
    stream = ProviderStream(silent())
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await stream.next()
    assert cancellations() == 0
