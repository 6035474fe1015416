"""A turn in which Claude Code asks no model: the user is not logged in, or the prompt is a command."""

from __future__ import annotations

from tests.bridge.adapters.claude_stream import Line, answer, init, prompt, prose, result, whole
from tests.bridge.adapters.reading import read
from ttsr_ls.session.history.turn_events import TurnCancelled, TurnCompleted, TurnFailed, UnseenTrigger
from ttsr_ls.session.output.agent_events import SessionSeen, TurnClosed, TurnOpened

SESSION = SessionSeen("s1", "/home/dev/shop")
LOGGED_OUT = "Not logged in · Please run /login"


def synthetic(text: str) -> Line:
    """A message that Claude Code writes itself, as version 2.1.329 does without a login."""
    (line,) = whole({"type": "text", "text": text})
    line["message"]["model"] = "<synthetic>"
    return line


def test_a_failure_before_the_first_answer_is_a_failed_turn() -> None:
    events = read(init(), synthetic(LOGGED_OUT), result("api_error", error=True, text=LOGGED_OUT))
    assert events == [SESSION, TurnOpened(UnseenTrigger()), TurnClosed(TurnFailed(LOGGED_OUT))]


def test_a_command_without_an_answer_is_a_completed_turn() -> None:
    events = read(init(), synthetic("Total cost: $0.00"), result())
    assert events == [SESSION, TurnOpened(UnseenTrigger()), TurnClosed(TurnCompleted())]


def test_a_second_result_of_a_turn_opens_no_turn() -> None:
    events = read(init(), answer(prose("text", ["a"])), result(), result())
    assert [event for event in events if isinstance(event, TurnClosed)] == [TurnClosed(TurnCompleted())]


def test_the_result_of_an_interrupted_turn_opens_no_turn() -> None:
    interrupt = prompt("[Request interrupted by user]")
    events = read(init(), answer(prose("text", ["a"])), interrupt, result("aborted_streaming"))
    assert [event for event in events if isinstance(event, TurnClosed)] == [TurnClosed(TurnCancelled("interrupted"))]
