"""`ttsr-ls sessions`: listing, showing, exporting, and deleting logs; a page escapes its content."""

from __future__ import annotations

import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls
from ttsr_ls.cli.sessions.entries import TriggerEntry, counts_of, entries_of
from ttsr_ls.cli.sessions.page import session_page
from ttsr_ls.rules.settings.settings import ContextMode
from ttsr_ls.rules.stream import Excerpt, Source
from ttsr_ls.session.history.role import Role
from ttsr_ls.session.history.suppressed import SuppressedRule, Suppression
from ttsr_ls.session.history.turn import Injection, InjectionKind, InterruptedByRules, Interruption
from ttsr_ls.session.history.turn_events import (
    InjectionCommitted,
    ModelCall,
    OutputInterrupted,
    RuleTriggered,
    StepAppended,
    Text,
    TriggersSuppressed,
    TurnCompleted,
    TurnEnded,
    TurnEvent,
    TurnStarted,
    UserInput,
)
from ttsr_ls.store.log.header import Header
from ttsr_ls.store.log.reader import read_log
from ttsr_ls.store.log.session_dirs import session_file, workspace_folder
from ttsr_ls.store.log.turn_log import TurnLog

Capture = pytest.CaptureFixture[str]
HOSTILE = '</pre></details><script>alert(1)</script><img src=x onerror=alert(1)>" onload="x\x1b]0;owned\x07\u202e'
STARTED = 1_790_000_000_000


def triggered(text: str) -> RuleTriggered:
    excerpt = Excerpt(text, 0, 5)
    return RuleTriggered(
        "t1", 0, "main", f"no-{HOSTILE}", "/r", "c", 0, Source.TEXT, None, None, None, 0, 5, 5, excerpt, True
    )


def events(text: str) -> list[TurnEvent]:
    interruption = Interruption("main", 0, InterruptedByRules(("no-old",)), ContextMode.DISCARD)
    injection = Injection("main", InjectionKind.INTERRUPT, Role.USER, text)
    return [
        TurnStarted("t1", UserInput(text)),
        triggered(text),
        OutputInterrupted("t1", 2, interruption),
        StepAppended("t1", 0, ModelCall("main", "m", (Text(text),), complete=False)),
        InjectionCommitted("t1", 3, injection, ("no-old",)),
        StepAppended("t1", 4, ModelCall("main", "m", (Text("Done."),), complete=True)),
        TriggersSuppressed("t1", (SuppressedRule("no-any", Suppression.SILENCED, 2),)),
        TurnEnded("t1", TurnCompleted()),
    ]


@pytest.fixture
def folder(project: Path, state: Path) -> Path:
    """The project's folder of session logs, with two sessions."""
    folder = workspace_folder(state, project)
    for name, text in (("older", "All is well."), ("newer", HOSTILE)):
        started_at = STARTED + (name == "newer") * 1000
        path = session_file(folder, started_at, name)
        with TurnLog.open(path, Header(path.stem, "claude", str(project), started_at, "test")) as log:
            for position, event in enumerate(events(text)):
                log.append(event, started_at + position * 1000)
    return folder


def test_sessions_are_listed_newest_first(folder: Path, capsys: Capture) -> None:
    lines = ttsr_ls(capsys, "sessions", "list").out.splitlines()
    assert [line.split("  ")[1].rpartition("-")[2] for line in lines] == ["newer", "older"]
    assert lines[0].endswith("claude  1 turn, 1 trigger, 1 interrupt, 2 suppressed triggers")
    (newest, _) = json.loads(ttsr_ls(capsys, "sessions", "list", "--json").out)
    assert {key: newest[key] for key in ("turns", "triggers", "interrupts", "suppressed", "underWay")} == {
        "turns": 1, "triggers": 1, "interrupts": 1, "suppressed": 2, "underWay": False,
    }  # fmt: skip
    assert len(ttsr_ls(capsys, "sessions", "list", "--all", "-n", "1").out.splitlines()) == 2


def test_without_sessions_the_commands_report_it(project: Path, state: Path, capsys: Capture) -> None:
    assert ttsr_ls(capsys, "sessions", "list").out == "There are no sessions of this folder.\n"
    assert ttsr_ls(capsys, "sessions", "show").status == 2


def test_a_session_is_shown(folder: Path, capsys: Capture) -> None:
    shown = ttsr_ls(capsys, "sessions", "show", "older").out
    wanted = (
        "claude in ",
        "▶ user",
        "All is well.",
        "⚡ no-",
        "■ interrupted by no-old",
        "◀ injected: no-old",
        "Done.",
    )
    places = [shown.find(item) for item in wanted]
    assert -1 not in places
    assert "· triggers that did not count: no-any 2 × (silenced)" in shown
    assert "■ the turn is completed" in shown
    ran = ttsr_ls(capsys, "sessions", "show", "nope")
    assert (ran.status, "there is no session nope" in ran.err) == (2, True)


class Page(HTMLParser):
    """The elements of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.policy = ""
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        values = dict(attrs)
        self.attributes |= set(values)
        self.links += [value for key, value in attrs if key in ("href", "src") and value is not None]
        self.ids |= {value for key, value in attrs if key == "id" and value is not None}
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"] or ""

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_page_needs_no_other_file_and_escapes_its_content(folder: Path, capsys: Capture, tmp_path: Path) -> None:
    to = tmp_path / "page.html"
    assert ttsr_ls(capsys, "sessions", "export", "newer", "-o", str(to)).status == 0
    text = to.read_text(encoding="utf-8")
    page = Page(text)
    assert page.tags <= {
        "html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "br", "svg", "rect", "a", "div", "strong",
        "time", "pre", "mark", "span", "details", "summary",
    }  # fmt: skip
    assert not {name for name in page.attributes if name.startswith("on") or name == "style"}
    assert page.policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in page.policy
    # Links lead to places in the page alone.
    assert page.links
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "<script>alert(1)</script>" in page.text
    assert re.search(r"<mark>&lt;/pre</mark>", text)


def test_a_page_of_many_triggers_stays_bounded(folder: Path) -> None:
    (path,) = folder.glob("*older*.jsonl")
    content = read_log(path)
    assert content.header is not None
    counts = counts_of(content.records, content.header.started)
    page = "".join(session_page(content.header, entries_of(content.records), counts, 0, max_length=500))
    assert "entries are left out" in page
    assert page.endswith("</html>\n")


def test_a_page_is_not_written_to_a_terminal(folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    ran = ttsr_ls(capsys, "sessions", "export", "newer")
    assert (ran.status, ran.out) == (2, "")
    assert "name its file: -o page.html" in ran.err


def test_a_file_that_is_no_session_log_is_reported(folder: Path, capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("{}\n")
    ran = ttsr_ls(capsys, "sessions", "export", str(tmp_path / "x.jsonl"))
    assert (ran.status, "it is no session log" in ran.err) == (2, True)


def test_old_logs_are_deleted_and_a_dry_run_deletes_nothing(folder: Path, capsys: Capture) -> None:
    (old, new) = sorted(folder.glob("*.jsonl"))
    os.utime(old, (1_000_000_000, 1_000_000_000))
    out = ttsr_ls(capsys, "sessions", "prune", "--days", "7", "--dry-run").out
    assert out == f"{old}\n1 log would be deleted.\n"
    assert old.exists()
    assert ttsr_ls(capsys, "sessions", "prune", "--days", "7").out == f"{old}\n1 log deleted.\n"
    assert (old.exists(), new.exists()) == (False, True)


def test_prune_keeps_a_log_that_is_being_written(folder: Path, project: Path, capsys: Capture) -> None:
    path = session_file(folder, STARTED - 1000, "open")
    with TurnLog.open(path, Header(path.stem, "claude", str(project), STARTED, "test")):
        os.utime(path, (1_000_000_000, 1_000_000_000))
        assert ttsr_ls(capsys, "sessions", "prune", "--days", "7").out == "0 logs deleted.\n"
    assert path.exists()


def test_triggers_have_the_outcome_words_of_the_editors(folder: Path, capsys: Capture) -> None:
    logs = {path: read_log(path) for path in folder.glob("*.jsonl")}
    outcomes = {
        entry.outcome
        for log in logs.values()
        for entry in entries_of(log.records)
        if isinstance(entry, TriggerEntry) and entry.outcome is not None
    }
    watched = {"would have been interrupted", "would have been reminded"}
    assert outcomes <= {"denied", "interrupted", "reminded", "did not run", *watched}
    path, word = next(
        (path, entry.outcome)
        for path, log in logs.items()
        for entry in entries_of(log.records)
        if isinstance(entry, TriggerEntry) and entry.outcome is not None
    )
    assert f"«: {word}" in ttsr_ls(capsys, "sessions", "show", str(path)).out
    assert f": {word} <time>" in ttsr_ls(capsys, "sessions", "export", str(path)).out
