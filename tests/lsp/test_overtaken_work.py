"""Work in the background that is overtaken by newer work has no effect, and long work does not delay requests."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.lsp.held_session import HeldCalls, HeldSession, fire
from tests.lsp.logged_run import RULE, TARGET
from tests.lsp.talk import PATIENCE, make_folder
from ttsr_ls.lsp.analysis.closed_rules import rule_files
from ttsr_ls.lsp.configuration import read_configurations
from ttsr_ls.lsp.match_counts.match_count import CountRequest, MatchCount
from ttsr_ls.lsp.match_counts.match_counter import MatchCounter
from ttsr_ls.lsp.trial import rule_test_runs
from ttsr_ls.store.discovery.discovery import read_file


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return make_folder(tmp_path)


@pytest_asyncio.fixture
async def session(shop: Path) -> AsyncIterator[HeldSession]:
    session = HeldSession()
    await session.start([shop])
    await session.settle()
    yield session
    session.release.set()
    await session.settle()
    await session.end()


async def test_marks_of_an_older_text_are_not_pushed_last(session: HeldSession, shop: Path) -> None:
    target = shop / "x.ts"
    target.write_text(TARGET)
    fire(session, shop, target)
    session.hold(read_file)
    session.notify("ttsr/didOpen", {"uri": target.as_uri()})
    await session.is_held.wait()
    session.notify("ttsr/didOpen", {"uri": target.as_uri(), "text": f"// typed\n{TARGET}", "version": 7})
    session.release.set()
    await session.settle()
    assert [(params.get("version"), len(params["diagnostics"])) for params in session.published] == [(7, 1)]


async def test_an_older_configuration_does_not_replace_a_newer_one(session: HeldSession, shop: Path) -> None:
    (shop / "old").mkdir()
    (shop / "new").mkdir()
    configuration = shop / "ttsr-ls.toml"
    changed = {"changes": [{"uri": configuration.as_uri(), "type": 2}]}
    configuration.write_text('rule-folders = ["old"]\n')
    session.hold(read_configurations)
    session.notify("workspace/didChangeWatchedFiles", changed)
    await session.is_held.wait()
    configuration.write_text('rule-folders = ["new"]\n')
    session.notify("workspace/didChangeWatchedFiles", changed)
    while session.server.current.rule_folders != {str(shop / "new")}:
        await asyncio.sleep(0.001)
    session.release.set()
    await session.settle()
    assert session.server.current.rule_folders == {str(shop / "new")}


async def test_a_file_without_a_text_in_a_rule_folder_of_the_configuration_is_no_rule_document(
    session: HeldSession, shop: Path
) -> None:
    rule = shop / "team" / "a.md"
    rule.parent.mkdir()
    rule.write_text(RULE)
    session.notify("ttsr/didOpen", {"uri": rule.as_uri()})
    session.server.current = session.server.current.with_rule_folders([str(rule.parent)])
    assert session.server.current.rule_document(rule.as_uri()) is None
    session.notify("ttsr/didOpen", {"uri": (shop / "team" / "b.md").as_uri()})
    assert (shop / "team" / "b.md").as_uri() not in session.server.current.documents


async def test_a_rule_whose_text_the_editor_did_not_send_is_tried_as_it_is_on_the_disk(
    session: HeldSession, shop: Path
) -> None:
    (shop / "ttsr-ls.toml").write_text('rule-folders = ["team"]\n')
    rule = shop / "team" / "a.md"
    rule.parent.mkdir()
    rule.write_text("---\ncondition: foo\n---\nNo.\n")
    session.notify("ttsr/didOpen", {"uri": rule.as_uri()})
    arguments = [{"text": "foo", "source": "text"}]
    found = await session.request("workspace/executeCommand", {"command": "ttsr.test", "arguments": arguments})
    assert found["summary"] == "'a' fires on this text."
    result = await session.request("ttsr/testText", {"text": "foo", "kind": "text"})
    assert result["summary"] == "'a' fires on this reply text."


async def test_requests_are_answered_while_tests_run(
    session: HeldSession, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = HeldCalls(lambda *_: {"rules": []})
    monkeypatch.setattr(rule_test_runs, "run_rule_tests", held)
    uri = session.open(shop / ".omp" / "rules" / "a.md", RULE)
    runs = [asyncio.ensure_future(session.request("ttsr/ruleTests", {"run": True})) for _ in range(2)]
    await held.hover_meanwhile(session, uri, runs)
    assert await asyncio.gather(*runs) == [{"rules": []}] * 2


@pytest.mark.parametrize("method", ["textDocument/semanticTokens/full", "textDocument/semanticTokens/range"])
async def test_tokens_are_encoded_off_the_event_loop(
    session: HeldSession, shop: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    threads: list[threading.Thread] = []

    def encode(*_: object) -> list[int]:
        threads.append(threading.current_thread())
        return []

    for module in ("full", "in_range"):
        target = f"ttsr_ls.lsp.methods.semantic_tokens.{module}.encode_tokens"
        monkeypatch.setattr(target, encode, raising=False)
    uri = session.open(shop / ".omp" / "rules" / "a.md", RULE)
    area = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    assert await session.request(method, {"textDocument": {"uri": uri}, "range": area}) == {"data": []}
    assert threads
    assert threading.main_thread() not in threads


async def test_all_links_of_a_rule_are_resolved_with_one_search(
    session: HeldSession, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = shop / ".omp" / "rules"
    (shop / "team" / ".omp" / "rules").mkdir(parents=True)
    for name in ("a", "b", "c"):
        (rules / f"{name}.md").write_text(RULE)
        (shop / "team" / ".omp" / "rules" / f"{name}.md").write_text(RULE)
    searched: list[str] = []

    def find(folder: str, rule_folders: frozenset[str]) -> Any:
        searched.append(folder)
        return rule_files(folder, rule_folders)

    monkeypatch.setattr("ttsr_ls.lsp.rule_locations.rule_files", find)
    uri = session.open(shop / "team" / ".omp" / "rules" / "x.md", f"{RULE}rule://a, rule://b, rule://c, rule://d\n")
    links = await session.request("textDocument/documentLink", {"textDocument": {"uri": uri}})
    expected = [(shop / "team" / ".omp" / "rules" / f"{name}.md").as_uri() for name in ("a", "b", "c")]
    assert [link["target"] for link in links] == expected
    assert searched == [str(shop)]


class NamedCounter(MatchCounter):
    """Remembers the rules that it counts; the first count waits for `release`."""

    def __init__(self) -> None:
        super().__init__()
        self.counted: list[str] = []
        self.release = threading.Event()

    def count(self, request: CountRequest) -> MatchCount | None:
        self.counted.append(Path(request.path).stem)
        assert self.release.wait(PATIENCE)
        return MatchCount(1, 1)


async def test_the_rule_whose_lenses_were_requested_last_is_counted_first(session: HeldSession, shop: Path) -> None:
    counts = session.server.match_counts
    counts._counter = counter = NamedCounter()
    a, b, c = (session.open(shop / ".omp" / "rules" / f"{name}.md", RULE) for name in ("a", "b", "c"))
    for uri in (a, b, c, b):
        await session.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
        while not counter.counted:
            await asyncio.sleep(0.001)
    counter.release.set()
    async with asyncio.timeout(PATIENCE):
        while len(counter.counted) < 3:
            await asyncio.sleep(0.001)
    assert counter.counted[:3] == ["a", "b", "c"]


async def test_an_agent_whose_watch_does_not_start_is_forgotten(
    session: HeldSession, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", str(shop / "missing"))
    params = {"session": "s1", "data": "{}\n", "from": "claude", "workspace": shop.as_uri()}
    session.notify("ttsr/stream", params)
    assert session.server.streamed_agents._agents.keys() == {"s1"}
    async with asyncio.timeout(PATIENCE):
        while session.server.streamed_agents._agents:
            await asyncio.sleep(0.001)
