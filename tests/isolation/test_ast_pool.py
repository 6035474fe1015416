"""Texts that are parsed concurrently have the same answers as one by one, and a hostile text fails alone."""

from collections.abc import Iterator

import pytest

from tests.isolation.test_ast_process import CRASHES, HANGS
from ttsr_ls.isolation.ast_pool import AstPool, available_processors
from ttsr_ls.matching.ast.search import AstFailure
from ttsr_ls.text import Span

LONG = "; //".ljust(70_000, "x")
"""Makes a script long enough for another process to be started."""


@pytest.fixture(scope="module")
def pool() -> Iterator[AstPool]:
    with AstPool(2) as ast_pool:
        yield ast_pool


def running(pool: AstPool) -> int:
    return sum(queue.worker is not None for queue in pool._queues)


def test_ast_answers_may_be_taken_in_any_order(pool: AstPool) -> None:
    asked = [pool.ask(f"{' ' * number}foo({number}){LONG}", "javascript", ["foo($A)", "bar"]) for number in range(20)]
    assert running(pool) == 2
    expected = [(Span(number, number + len(f"foo({number})")), None) for number in range(20)]
    assert [answers() for answers in reversed(asked)] == expected[::-1]
    assert [answers() for answers in asked] == expected


def test_small_texts_are_parsed_by_one_process() -> None:
    with AstPool(4) as pool:
        asked = [pool.ask("foo(1)", "javascript", ["foo($A)"]) for _ in range(50)]
        assert {answers() for answers in asked} == {(Span(0, 6),)}
        assert running(pool) == 1


def test_a_text_that_crashes_the_process_fails_alone() -> None:
    with AstPool(1) as pool:
        texts = ["a: 1", CRASHES, "a: 2", CRASHES, "b: 3"]
        asked = [pool.ask(text, "yaml", ["a: $A"]) for text in texts]
        found, lost = (Span(0, 4),), (AstFailure.TEXT,)
        assert [answers() for answers in asked] == [found, lost, found, lost, (None,)]


def test_a_text_that_hangs_fails_alone() -> None:
    with AstPool(1, step_limit=0.5) as pool:
        pool.ask("x", "bash", ["foo", "if"])()
        texts = ["foo 1", HANGS + "foo", "foo 2"]
        asked = [pool.ask(text, "bash", ["foo $A"]) for text in texts]
        assert len(pool._queues[0]._tasks) >= 2, "who asks must not wait for what hangs"
        assert [answers() for answers in asked] == [(Span(0, 5),), (AstFailure.TEXT,), (Span(0, 5),)]


def test_more_than_a_pipe_holds_can_be_sent_to_a_hanging_process() -> None:
    with AstPool(1, step_limit=0.5) as pool:
        pool.ask("foo 1", "bash", ["foo $A"])()
        asked = [pool.ask(HANGS + "foo", "bash", ["foo $A"])]
        asked += [pool.ask("foo 1 #".ljust(300_000, "x"), "bash", ["foo $A"]) for _ in range(3)]
        assert [answers() for answers in asked] == [(AstFailure.TEXT,), *[(Span(0, 5),)] * 3]


def test_too_many_failures_end_parsing_in_all_processes() -> None:
    with AstPool(2, maximum_failures=2) as pool:
        asked = [pool.ask(CRASHES + f"# {number} {LONG}", "yaml", ["a: $A"]) for number in range(8)]
        answers = [answer() for answer in asked]
    assert answers.count((AstFailure.TEXT,)) in (2, 3)
    assert set(answers) == {(AstFailure.TEXT,), (AstFailure.EXHAUSTED,)}


def test_there_is_at_least_one_processor() -> None:
    assert 1 <= available_processors() <= 4
