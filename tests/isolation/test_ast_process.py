"""The parsing process: its answers, its time limits, and its isolation."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from math import inf
from pathlib import Path

import pytest

from tests.hostile.server_client import processor_time
from ttsr_ls.isolation.ast_process import AstProcess
from ttsr_ls.isolation.worker import Worker, WorkerLostError
from ttsr_ls.matching.ast.search import MAX_AST_TEXT, AstFailure
from ttsr_ls.matching.monitor.match_spans import MAX_MATCHES
from ttsr_ls.text import Span

HANGS = "if(a){" * 20_000
"""As a shell script, this takes minutes to parse."""
CRASHES = "".join(" " * depth + "a:\n" for depth in range(400))
"""As YAML, this crashes the process that parses it."""


@pytest.fixture(scope="module")
def search() -> Iterator[AstProcess]:
    with AstProcess() as process:
        yield process


def test_each_ast_pattern_has_its_answer(search: AstProcess) -> None:
    patterns = ["bar($A)", "foo($A)", "as any", "$$$", "foo($A)", ""]
    foo = Span(4, 10)
    assert search.search("x = foo(1)", "typescript", patterns) == (None, foo, None, Span(0, 10), foo, None)


def test_ast_answers_are_the_same_with_cached_required_words(search: AstProcess) -> None:
    patterns = ["eval($A)", "$A.then($B)", "$A"]
    texts = ["eval(x)", "x.then(y)", "EVAL(x)", "then eval", "", "eval(x).then(z)"]
    first = [search.search(text, "javascript", patterns) for text in texts]
    again = [search.search(text, "javascript", patterns) for text in texts]
    assert first == again
    assert first[0] == (Span(0, 7), None, Span(0, 7))
    assert first[2] == (None, None, Span(0, 7))


def test_all_matches_up_to_the_limit_are_found(search: AstProcess) -> None:
    limit = MAX_MATCHES + 1
    expected = tuple(Span(start, start + 6) for start in range(0, limit * 50, 50))
    text = f"foo(1);{' ' * 42}\n" * (limit + 5)
    assert search.search_all(text, "javascript", ["foo($A)"], limit) == [expected]


def test_a_search_without_patterns_starts_no_process() -> None:
    with AstProcess() as process:
        assert process.search("x", "go", []) == ()
        assert all(queue.worker is None for queue in process._pool._queues)


def test_special_characters_are_passed_to_the_process(search: AstProcess) -> None:
    text = '"\ud800\u2028\n\r\\ 😀"; foo("\0")'
    position = text.index("foo")
    assert search.search(text, "typescript", ["foo($A)"]) == (Span(position, position + 8),)


def test_a_text_beyond_the_time_limit_fails_and_the_next_is_parsed() -> None:
    with AstProcess(step_limit=0.5) as process:
        process.search("x", "bash", ["x"])
        started_at = processor_time()
        assert process.search(HANGS, "bash", ["a", "foo $A", "$B"]) == (AstFailure.TEXT, None, AstFailure.TEXT)
        assert processor_time() - started_at < 5
        assert process.search("foo 1", "bash", ["foo $A"]) == (Span(0, 5),)


def test_a_process_without_processor_time_does_not_count_as_hanging() -> None:
    with AstProcess(step_limit=0.2) as process:
        process.search("x", "go", ["x"])
        worker = process._pool._queues[0].worker
        assert worker is not None
        worker._process.send_signal(signal.SIGSTOP)
        threading.Timer(0.8, worker._process.send_signal, [signal.SIGCONT]).start()
        assert process.search("foo(1)", "go", ["foo($A)"]) == (Span(0, 6),)


def test_a_text_that_crashes_the_process_fails_and_the_next_is_parsed() -> None:
    with AstProcess() as process:
        assert process.search(CRASHES, "yaml", ["a: $A"]) == (AstFailure.TEXT,)
        assert process.search("a: 1", "yaml", ["a: $A"]) == (Span(0, 4),)


def test_texts_without_the_required_words_are_not_parsed() -> None:
    with AstProcess(step_limit=0.5) as process:
        process.search("foo 1", "bash", ["foo $A"])
        assert process.search(HANGS, "bash", ["foo $A"]) == (None,)


def test_a_pattern_that_fails_does_not_affect_other_patterns(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = Worker.answer
    served = 0

    def lost_at_the_second_pattern(self: Worker, seconds: float, processor_seconds: float = inf) -> object:
        nonlocal served
        served += 1
        if served == 7:  # After "ready", the words of three patterns, "parsed" and the first pattern's answer.
            raise WorkerLostError("gone")
        return answer(self, seconds, processor_seconds)

    monkeypatch.setattr(Worker, "answer", lost_at_the_second_pattern)
    with AstProcess() as process:
        found = process.search("a; b; c", "typescript", ["a", "b", "c"])
    assert found == (Span(0, 1), AstFailure.PATTERN, Span(6, 7))


def test_nothing_is_parsed_after_too_many_failures() -> None:
    with AstProcess(maximum_failures=2) as process:
        for _ in range(2):
            assert process.search(CRASHES, "yaml", ["a: $A"]) == (AstFailure.TEXT,)
        assert process.search("a: 1", "yaml", ["a: $A"]) == (AstFailure.EXHAUSTED,)


def test_a_text_beyond_the_length_limit_is_not_parsed(search: AstProcess) -> None:
    # A comment parses quickly, so the speed of the machine does not matter.
    longest = "a; //".ljust(MAX_AST_TEXT, "x")
    assert search.search(longest, "typescript", ["a"]) == (Span(0, 1),)
    assert search.search(longest + ";", "typescript", ["a"]) == (AstFailure.TEXT,)


def test_a_missing_interpreter_makes_ast_search_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(Path(os.devnull, "python")))
    with AstProcess() as process:
        for _ in range(2):
            assert process.search("a", "go", ["a"]) == (AstFailure.UNAVAILABLE,)


def test_a_missing_package_makes_ast_search_unavailable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ast_grep_py.py").write_text("raise ImportError")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with AstProcess() as process:
        assert process.search("a", "go", ["a"]) == (AstFailure.UNAVAILABLE,)


def test_the_process_imports_nothing_from_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("json", "ast_grep_py", "ttsr_ls"):
        (tmp_path / f"{module}.py").write_text("raise SystemExit('hijacked')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    with AstProcess() as process:
        assert process.search("a", "go", ["a"]) == (Span(0, 1),)


def test_an_interrupted_search_leaves_no_answers_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    with AstProcess() as process:
        process.search("x", "go", ["x"])
        with monkeypatch.context() as patched:
            patched.setattr(Worker, "answer", _interrupted)
            with pytest.raises(KeyboardInterrupt):
                process.search("foo(1)", "go", ["foo($A)"])
        assert process.search("x", "go", ["y", "x"]) == (None, Span(0, 1))


def test_a_process_that_was_closed_starts_again() -> None:
    process = AstProcess()
    for _ in range(2):
        assert process.search("x", "go", ["x"]) == (Span(0, 1),)
        process.close()


def test_the_process_ignores_ctrl_c_and_ends_with_its_input() -> None:
    command = [sys.executable, "-m", "ttsr_ls.isolation.ast_worker"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stdout.readline() == b'"ready"\n'
        running.send_signal(signal.SIGINT)
        running.stdin.write(b'{"text": "x", "language": "go", "patterns": []}\n')
        running.stdin.flush()
        assert running.stdout.readline() == b'"parsed"\n'
        running.stdin.close()
        assert running.wait(60) == 0


def _interrupted(worker: Worker, seconds: float, processor_seconds: float = inf) -> object:
    raise KeyboardInterrupt
