"""A stream that is cut stops its reader at once, and no cancellation is left over in the reader's task."""

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


async def test_a_reader_that_waits_stops() -> None:
    stream = ProviderStream(silent())
    asyncio.get_running_loop().call_soon(stream.interrupt)
    with pytest.raises(StreamInterrupted):
        await stream.next()
    assert cancellations() == 0
    await asyncio.sleep(0.01)
    with pytest.raises(StreamInterrupted):
        await stream.next()


async def test_a_stream_that_cuts_itself_hands_its_event_on() -> None:
    async def events() -> AsyncIterator[int]:
        stream.interrupt()
        yield 1

    stream = ProviderStream(events())
    assert await stream.next() == 1
    await asyncio.sleep(0.01)  # Where a cancellation that is left over would show.
    assert cancellations() == 0
    with pytest.raises(StreamInterrupted):
        await stream.next()


async def test_a_stream_that_swallows_the_cancellation_leaves_none_behind() -> None:
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


async def test_a_stream_that_goes_on_waiting_is_cancelled_again() -> None:
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


async def test_a_stream_that_makes_an_error_of_the_cancellation_is_cut() -> None:
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
async def test_whoever_cancels_the_reader_gets_through_even_if_the_stream_is_cut(cut_first: bool) -> None:
    stream = ProviderStream(silent())
    reading = asyncio.create_task(stream.next())
    await asyncio.sleep(0.01)
    for act in (stream.interrupt, reading.cancel) if cut_first else (reading.cancel, stream.interrupt):
        act()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert reading.cancelled()


async def test_the_time_limit_of_the_host_still_holds() -> None:
    stream = ProviderStream(silent())
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await stream.next()
    assert cancellations() == 0
