"""A follower returns each record once, whatever happens to the files."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.session.history.turn_events import TurnCompleted, TurnEnded, TurnStarted, UserInput
from ttsr_ls.store.log.codec import Record, encode_record
from ttsr_ls.store.log.follow import LogFollower
from ttsr_ls.store.log.header import Header, encode_header
from ttsr_ls.store.log.reader import LogDecoder, LogProblemKind
from ttsr_ls.store.log.session_dirs import session_file
from ttsr_ls.store.log.turn_log import TurnLog

HEADER = Header(session="s1", agent="claude", workspace="/home/dev/shop", started=1_000, writer="test")


def log_bytes(count: int, header: Header = HEADER) -> bytes:
    events = (TurnStarted(f"t{number}", UserInput("go … 😀")) for number in range(1, count + 1))
    return encode_header(header) + b"".join(
        encode_record(Record(sequence, sequence, event)) for sequence, event in enumerate(events, start=1)
    )


def sequences(follower: LogFollower) -> list[int]:
    return [event.record.sequence for event in follower.poll()]


def test_a_log_folder_created_later_is_followed(tmp_path: Path) -> None:
    follower = LogFollower(tmp_path / "later")
    assert follower.poll() == ()
    with TurnLog.open(session_file(tmp_path / "later", 1_000, "a"), HEADER) as log:
        log.append(TurnStarted("t1", UserInput("go")), 1)
        (event,) = follower.poll()
        assert (event.header, event.record.event) == (HEADER, TurnStarted("t1", UserInput("go")))
        assert follower.poll() == ()
        log.append(TurnEnded("t1", TurnCompleted()), 2)
        assert sequences(follower) == [2]


def test_only_new_records_of_older_sessions_are_returned(tmp_path: Path) -> None:
    old, new = session_file(tmp_path, 1_000, "old"), session_file(tmp_path, 9_000_000, "new")
    old.write_bytes(log_bytes(3))
    new.write_bytes(log_bytes(2))
    follower = LogFollower(tmp_path)
    assert [(event.log, event.record.sequence) for event in follower.poll()] == [(new, 1), (new, 2)]
    old.write_bytes(log_bytes(4))
    assert [(event.log, event.record.sequence, event.header) for event in follower.poll()] == [(old, 4, HEADER)]
    assert follower.take_problems() == ()


def test_an_older_session_is_followed_from_its_incomplete_line(tmp_path: Path) -> None:
    old, new = session_file(tmp_path, 1_000, "old"), session_file(tmp_path, 9_000_000, "new")
    whole = log_bytes(3)
    old.write_bytes(whole[:-10])
    new.write_bytes(log_bytes(1))
    follower = LogFollower(tmp_path)
    follower.poll()
    old.write_bytes(whole)
    assert sequences(follower) == [3]
    assert follower.take_problems() == ()


def test_a_problem_in_an_older_session_has_no_line_number(tmp_path: Path) -> None:
    old, new = session_file(tmp_path, 1_000, "old"), session_file(tmp_path, 9_000_000, "new")
    old.write_bytes(log_bytes(3))
    new.write_bytes(log_bytes(1))
    follower = LogFollower(tmp_path)
    follower.poll()
    with old.open("ab") as file:
        file.write(b"nonsense\n")
    assert sequences(follower) == []
    (problem,) = [problem.problem for problem in follower.take_problems()]
    assert (problem.line, problem.message.partition(" is ")[0]) == (0, "A line")


def test_a_line_is_held_back_until_it_is_complete(tmp_path: Path) -> None:
    path = session_file(tmp_path, 1_000, "a")
    whole = log_bytes(2)
    follower = LogFollower(tmp_path)
    found = []
    for end in range(len(whole) + 1):
        path.write_bytes(whole[:end])
        found += sequences(follower)
    assert found == [1, 2]
    assert follower.take_problems() == ()


@given(st.lists(st.integers(0, 600), max_size=10))
def test_decoding_is_independent_of_chunk_boundaries(cuts: list[int]) -> None:
    whole = log_bytes(4)
    places = sorted({min(cut, len(whole)) for cut in cuts} | {0, len(whole)})
    decoder = LogDecoder()
    records = [record for start, end in zip(places, places[1:]) for record in decoder.feed(whole[start:end])[0]]  # noqa: B905, RUF007
    assert [record.sequence for record in records] == [1, 2, 3, 4]


def test_a_log_that_shrank_is_read_again_from_its_beginning(tmp_path: Path) -> None:
    path = session_file(tmp_path, 1_000, "a")
    path.write_bytes(log_bytes(5))
    follower = LogFollower(tmp_path)
    assert sequences(follower) == [1, 2, 3, 4, 5]
    path.write_bytes(log_bytes(2))
    assert sequences(follower) == [1, 2]


def test_a_replaced_log_is_read_again_from_its_beginning(tmp_path: Path) -> None:
    path = session_file(tmp_path, 1_000, "a")
    path.write_bytes(log_bytes(2))
    follower = LogFollower(tmp_path)
    assert sequences(follower) == [1, 2]
    (tmp_path / "new").write_bytes(log_bytes(3))
    os.replace(tmp_path / "new", path)  # noqa: PTH105
    assert sequences(follower) == [1, 2, 3]


def test_a_deleted_log_is_not_followed_any_more(tmp_path: Path) -> None:
    path = session_file(tmp_path, 1_000, "a")
    path.write_bytes(log_bytes(2))
    follower = LogFollower(tmp_path)
    follower.poll()
    path.unlink()
    assert follower.poll() == ()
    path.write_bytes(log_bytes(1))
    assert sequences(follower) == [1]


def test_a_link_to_a_log_is_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(log_bytes(1))
    folder = tmp_path / "folder"
    folder.mkdir()
    session_file(folder, 1_000, "a").symlink_to(elsewhere)
    assert LogFollower(folder).poll() == ()


def test_a_poll_reads_a_limited_amount_and_reports_that_there_is_more(tmp_path: Path) -> None:
    session_file(tmp_path, 1_000, "a").write_bytes(log_bytes(50))
    follower = LogFollower(tmp_path, step=1000)
    found = sequences(follower)
    assert 0 < len(found) < 50
    while follower.has_more:
        found += sequences(follower)
    assert found == list(range(1, 51))


def test_each_log_problem_is_returned_once(tmp_path: Path) -> None:
    path = session_file(tmp_path, 1_000, "a")
    path.write_bytes(log_bytes(1) + b"nonsense\n")
    follower = LogFollower(tmp_path)
    assert sequences(follower) == [1]
    assert [(problem.log, problem.problem.kind) for problem in follower.take_problems()] == [
        (path, LogProblemKind.BROKEN_LINE)
    ]
    assert follower.take_problems() == ()
