"""`replay` and `sessions list --agents` read the sessions that opencode kept: a database, or the files before it."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls
from ttsr_ls.store.files.bounded_file import read_bytes
from ttsr_ls.store.opencode import database, json_files
from ttsr_ls.store.opencode.sessions import stored_sessions
from ttsr_ls.store.opencode.stored_message import StoredValue, message_lines, second_message_lines

SAMPLE = Path(__file__).parents[2] / "samples" / "opencode" / "storage.sql"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose rule the two sessions of the sample break, one each."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    project = tmp_path / "shop"
    (project / ".omp" / "rules").mkdir(parents=True)
    (project / ".omp" / "rules" / "no-old.md").write_text(
        "---\ncondition: 'import deprecated_module'\nscope: tool:write\n---\nNo.\n"
    )
    monkeypatch.chdir(project)
    return project


@pytest.fixture
def data(project: Path) -> Path:
    """The data folder of opencode, with the database."""
    data = project.parent / "home" / ".local" / "share" / "opencode"
    data.mkdir(parents=True)
    with edited(data / "opencode.db") as opened:
        opened.executescript(SAMPLE.read_text().replace("/home/dev/shop", str(project)))
    return data


@pytest.fixture
def storage(data: Path) -> Path:
    """The files of opencode before 1.2 in place of the database, with the session of its first API."""
    storage = data / "storage"
    with edited(data / "opencode.db") as opened:
        for session, directory in opened.execute(
            "SELECT id, directory FROM session WHERE id IN (SELECT session_id FROM message)"
        ):
            written(storage / "session" / "global" / f"{session}.json", {"id": session, "directory": directory})
        for message, session, content in opened.execute("SELECT id, session_id, data FROM message"):
            written(storage / "message" / session / f"{message}.json", {**json.loads(content), "id": message})
        for part, message, content in opened.execute("SELECT id, message_id, data FROM part"):
            written(storage / "part" / message / f"{part}.json", {**json.loads(content), "id": part})
    (data / "opencode.db").unlink()
    return storage


def edited(path: Path) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(path, isolation_level=None))


def written(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2))


def test_sessions_of_both_apis_are_replayed(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    ran = ttsr_ls(capsys, "replay", "--jobs", "1", "--json")
    report = json.loads(ran.out)
    assert report["counts"] == {"no-old": 2}
    for session in report["sessions"]:
        assert session["skippedLines"] == 0
        (trigger,) = session["triggers"]
        assert (trigger["turn"], trigger["stream"], Path(trigger["path"]).name) == ("t1", "write", "a.py")


def test_a_database_one_of_its_sessions_and_its_folder_can_be_named(
    capsys: pytest.CaptureFixture[str], data: Path, project: Path
) -> None:
    one = str(stored_sessions(data, report=print)[0].path)
    counts = []
    for named in (data / "opencode.db", one, data, "--all"):
        ran = ttsr_ls(capsys, "replay", str(named), "--jobs", "1", "--json")
        assert ran.status == 0, ran.err
        counts.append(json.loads(ran.out)["counts"]["no-old"])
    assert counts == [2, 1, 2, 2]
    ran = ttsr_ls(capsys, "replay", str(data / "opencode.db" / "ses_none"))
    assert (ran.status, ran.out.count("not replayed")) == (2, 1)
    assert "the database has no session ses_none" in ran.err


def test_files_of_earlier_versions_are_replayed(capsys: pytest.CaptureFixture[str], storage: Path) -> None:
    ran = ttsr_ls(capsys, "replay", "--jobs", "1", "--json")
    (session,) = json.loads(ran.out)["sessions"]
    assert [trigger["stream"] for trigger in session["triggers"]] == ["write"]
    assert session["skippedLines"] == 0


def test_each_file_is_read_once(storage: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []

    def counted(path: Path, most: int) -> bytes:
        read.append(path)
        return read_bytes(path, most)

    monkeypatch.setattr(json_files, "read_bytes", counted)
    for session in json_files.session_files(storage):
        assert list(json_files.session_events(session))
    assert sorted(read) == sorted(set(read))
    assert len(read) > 5


def test_a_session_that_is_deleted_while_sessions_are_listed_is_left_out(
    storage: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory_of = json_files.directory_of

    def deleting(path: Path) -> str:
        directory = directory_of(path)
        path.unlink()
        return directory

    assert len(stored_sessions(storage.parent, project, report=print)) == 1
    monkeypatch.setattr(json_files, "directory_of", deleting)
    assert stored_sessions(storage.parent, project, report=print) == []


def test_sessions_of_other_folders_do_not_count(
    capsys: pytest.CaptureFixture[str], data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "Agents kept no sessions of this folder." in ttsr_ls(capsys, "sessions", "list", "--agents").out
    assert ttsr_ls(capsys, "sessions", "list", "--agents", "--all").out.count("opencode.db/ses_") == 2


def test_a_session_migrated_to_the_database_counts_once(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    first = stored_sessions(data, report=print)[0].path.name
    written(data / "storage" / "session" / "global" / f"{first}.json", {"id": first, "directory": str(Path.cwd())})
    listed = json.loads(ttsr_ls(capsys, "sessions", "list", "--agents", "--json").out)
    assert [item["source"] for item in listed] == ["opencode", "opencode"]
    assert [Path(item["path"]).parent.name for item in listed] == ["opencode.db"] * 2


def test_rules_of_a_revision_are_compared(capsys: pytest.CaptureFixture[str], data: Path, project: Path) -> None:
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@t"]
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "rules"]):
        subprocess.run([*git, *arguments], cwd=project, check=True)
    (project / ".omp" / "rules" / "no-old.md").unlink()
    (project / ".omp" / "rules" / "no-echo.md").write_text("---\ncondition: echo\nscope: tool:bash\n---\nNo.\n")
    ran = ttsr_ls(capsys, "replay", "--against", "HEAD", "--jobs", "1", "--json")
    report = json.loads(ran.out)
    assert report["counts"] == {"no-echo": 1}
    assert report["countsBefore"] == {"no-old": 2}


def test_the_commands_of_the_user_do_not_count(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    note = {"type": "text", "text": "The following tool was executed by the user", "synthetic": True}
    with edited(data / "opencode.db") as opened:
        ((message, session),) = opened.execute(
            'SELECT id, session_id FROM message WHERE data LIKE \'%"role":"user"%\''
        ).fetchall()
        opened.execute("INSERT INTO part VALUES ('prt_0', ?, ?, 0, 0, ?)", (message, session, json.dumps(note)))
    report = json.loads(ttsr_ls(capsys, "replay", "--jobs", "1", "--json").out)
    assert report["counts"] == {"no-old": 1}


def test_damaged_values_are_counted(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    with edited(data / "opencode.db") as opened:
        opened.execute('UPDATE part SET data = \'{"type": "te\' WHERE rowid IN (SELECT min(rowid) FROM part)')
        opened.execute("UPDATE session_message SET data = x'ff00' WHERE type = 'user'")
        opened.execute("UPDATE message SET data = '[1]' WHERE rowid IN (SELECT min(rowid) FROM message)")
    assert "4 stored values could not be read:\n" in ttsr_ls(capsys, "replay", "--jobs", "1").out
    report = json.loads(ttsr_ls(capsys, "replay", "--jobs", "1", "--json").out)
    assert sorted(session["skippedLines"] for session in report["sessions"]) == [2, 2]
    assert report["counts"] == {"no-old": 2}


def test_damaged_files_are_counted(capsys: pytest.CaptureFixture[str], storage: Path) -> None:
    first = min((storage / "part").glob("*/*.json"))
    first.write_text('{"type": "te')
    (session,) = json.loads(ttsr_ls(capsys, "replay", "--jobs", "1", "--json").out)["sessions"]
    assert session["skippedLines"] == 1


def garbled(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


@pytest.mark.parametrize("damage", [garbled, cut])
def test_a_damaged_database_is_reported(
    capsys: pytest.CaptureFixture[str], data: Path, damage: Callable[[Path], None]
) -> None:
    path = data / "opencode.db"
    damage(path)
    ran = ttsr_ls(capsys, "replay", str(path))
    assert ran.status == 2
    assert "the database cannot be read: " in ran.err
    assert "Traceback" not in ran.err
    for command in (("replay",), ("replay", "--all"), ("replay", str(data)), ("sessions", "list", "--agents")):
        ran = ttsr_ls(capsys, *command)
        assert ran.err.startswith(f"ttsr-ls: {path} has sessions that cannot be listed: the database cannot be read: ")


def test_a_query_without_an_end_is_stopped(data: Path) -> None:
    with edited(data / "opencode.db") as opened:
        opened.execute("DROP TABLE session")
        opened.execute(
            "CREATE VIEW session(id, directory, time_updated) AS "
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i, i FROM n"
        )
    with pytest.raises(OSError, match="it takes too long"):
        database.listed_sessions(data / "opencode.db", None, max_steps=1_000_000)


def test_names_of_sessions_do_not_leave_the_database(data: Path) -> None:
    with edited(data / "opencode.db") as opened:
        opened.execute("UPDATE session SET id = '..' WHERE rowid = 1")
    assert len(stored_sessions(data, report=print)) == 1


def test_links_and_pipes_are_not_read(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    (data / "opencode.db").unlink()
    os.mkfifo(data / "opencode.db")
    assert "Agents kept no sessions of this folder." in ttsr_ls(capsys, "sessions", "list", "--agents").out


def test_the_history_that_a_fork_copied_counts_once(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    """opencode copies messages with their times; the ids are new, and so is the time of the session."""
    with edited(data / "opencode.db") as opened:
        opened.executescript("""
            CREATE TEMP TABLE fork AS SELECT * FROM session WHERE id IN (SELECT session_id FROM message);
            UPDATE fork SET id = id || 'f', time_created = (SELECT max(time_created) + 1000 FROM message);
            INSERT INTO session SELECT * FROM fork;
            INSERT INTO message SELECT id || 'f', session_id || 'f', time_created, time_updated, data FROM message;
            INSERT INTO part SELECT id || 'f', message_id || 'f', session_id || 'f', time_created, time_updated, data
            FROM part;
        """)
    report = json.loads(ttsr_ls(capsys, "replay", "--jobs", "1", "--json").out)
    assert len(report["sessions"]) == 3
    assert report["counts"] == {"no-old": 2}


def test_the_history_that_a_fork_copied_counts_once_in_files(capsys: pytest.CaptureFixture[str], storage: Path) -> None:
    (session,) = (storage / "session").glob("*/*.json")
    stored = json.loads(session.read_text())
    written(session.with_stem("ses_fork"), {**stored, "id": "ses_fork", "time": {"created": 9_999_999_999_999}})
    for message in (storage / "message" / session.stem).iterdir():
        copy = f"{message.stem}f"
        written(storage / "message" / "ses_fork" / f"{copy}.json", {**json.loads(message.read_text()), "id": copy})
        for part in (storage / "part" / message.stem).iterdir():
            written(storage / "part" / copy / f"{part.stem}f.json", json.loads(part.read_text()))
    report = json.loads(ttsr_ls(capsys, "replay", "--jobs", "1", "--json").out)
    assert len(report["sessions"]) == 2
    assert report["counts"] == {"no-old": 1}


@pytest.mark.parametrize("levels", range(sys.getrecursionlimit() - 60, sys.getrecursionlimit() + 10))
def test_a_value_that_is_nested_too_deeply_is_a_damaged_line(levels: int) -> None:
    data = '{"type": "tool", "id": "c", "state": {"input": ' + "[" * levels + "]" * levels + "}}"
    lines = [
        *message_lines("s", StoredValue("m", '{"role": "user"}', "m"), [StoredValue("p", data, "p")]),
        *second_message_lines("s", "assistant", StoredValue("m", f'{{"content": [{data}]}}', "m")),
    ]
    assert all(line.startswith((b"{", b"damaged: ")) for line in lines)
