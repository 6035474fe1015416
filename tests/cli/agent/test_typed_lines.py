"""Typed lines: a line that was typed before a question stays a prompt and does not answer it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pty
import threading
from collections.abc import Iterator

import pytest

from ttsr_ls.cli.agent.typed_lines import REACTION, TypedLines


class _Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    source, sink = os.pipe()
    yield source, sink
    with contextlib.suppress(OSError):  # Some tests end the input.
        os.close(sink)
    wait_for_readers()
    os.close(source)


def wait_for_readers() -> None:
    """To be called before a descriptor is closed. A thread that still reads it would read the next file instead."""
    for thread in threading.enumerate():
        if thread.name == "typed lines":
            thread.join(60)
            assert not thread.is_alive()


async def until_read(typed: TypedLines, count: int) -> None:
    async with asyncio.timeout(60):
        while len(typed._lines) < count:
            await asyncio.sleep(0.005)


async def test_prompts_come_in_order_and_may_be_typed_ahead(pipe: tuple[int, int]) -> None:
    source, sink = pipe
    os.write(sink, "één\r\n\nthird".encode())
    os.close(sink)
    typed = TypedLines(lambda: source)
    assert [await typed.prompt() for _ in range(5)] == ["één", "", "third", None, None]


async def test_a_line_typed_before_the_question_stays_a_prompt(pipe: tuple[int, int]) -> None:
    source, sink = pipe
    clock = _Clock()
    typed = TypedLines(lambda: source, clock)
    os.write(sink, b"go\ny\n")
    assert await typed.prompt() == "go"
    await until_read(typed, 1)
    clock.now += 60
    answering = asyncio.create_task(typed.answer())
    await asyncio.sleep(0)
    clock.now += REACTION
    os.write(sink, b"n\n")
    assert await asyncio.wait_for(answering, 60) == "n"
    assert await typed.prompt() == "y"


async def test_a_line_within_the_reaction_time_is_no_answer(pipe: tuple[int, int]) -> None:
    source, sink = pipe
    clock = _Clock()
    typed = TypedLines(lambda: source, clock)
    answering = asyncio.create_task(typed.answer())
    await asyncio.sleep(0)
    clock.now = REACTION - 0.01
    os.write(sink, b"y\n")
    await until_read(typed, 1)
    assert not answering.done()
    os.close(sink)
    assert await asyncio.wait_for(answering, 60) is None
    assert await typed.prompt() == "y"


async def test_a_line_begun_before_the_question_is_no_answer(pipe: tuple[int, int]) -> None:
    source, sink = pipe
    clock = _Clock()
    typed = TypedLines(lambda: source, clock)
    os.write(sink, b"first\nye")
    assert await typed.prompt() == "first"
    clock.now = 60.0
    answering = asyncio.create_task(typed.answer())
    await asyncio.sleep(0)
    clock.now += REACTION
    os.write(sink, b"s\nno\n")
    assert await asyncio.wait_for(answering, 60) == "no"
    assert await typed.prompt() == "yes"


async def test_an_unfinished_line_in_the_terminal_is_dropped_at_a_question() -> None:
    master, terminal = pty.openpty()
    clock = _Clock()
    try:
        typed = TypedLines(lambda: terminal, clock)
        os.write(master, b"y")
        answering = asyncio.create_task(typed.answer())
        await asyncio.sleep(0)
        clock.now += REACTION
        os.write(master, b"\n")
        assert await asyncio.wait_for(answering, 60) == ""
    finally:
        os.close(master)
        wait_for_readers()
        os.close(terminal)


async def test_a_paste_that_continues_after_the_question_is_no_answer(pipe: tuple[int, int]) -> None:
    source, sink = pipe
    clock = _Clock()
    typed = TypedLines(lambda: source, clock)
    answering = asyncio.create_task(typed.answer())
    await asyncio.sleep(0)
    for count in range(1, 50):
        clock.now += REACTION / 5
        os.write(sink, b"y\n")
        await until_read(typed, count)
    assert not answering.done()
    clock.now += REACTION
    os.write(sink, b"n\n")
    assert await asyncio.wait_for(answering, 60) == "n"
    assert await typed.prompt() == "y"
