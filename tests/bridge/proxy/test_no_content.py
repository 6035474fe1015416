"""Without content logging, no text of a conversation is in any file, page, metric, or message of the proxy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from tests.bridge.proxy.anthropic_client import AnthropicClient, read_message
from tests.bridge.proxy.anthropic_model import AnthropicModel, call, plain, sse, text, thinking, write
from tests.bridge.proxy.served import Served, served, stream
from ttsr_ls.cli.main import main
from ttsr_ls.cli.proxy.notice_text import notice_text

SESSION = {"X-Claude-Code-Session-Id": "abc"}
NEEDLES = ("PROMPT", "THOUGHT", "ANSWER", "INPUT", "RESULT", "SUBJECT", "VERDICT", "REFUSAL", "deprecated_module")
OLD = write("import deprecated_module # INPUT\n", "/home/dev/INPUT/a.py")
NEW = write("import new_module # INPUT\n", "/home/dev/INPUT/a.py")
REMINDS = "---\ncondition: ANSWER\nscope: text\ninterruptMode: never\n---\nNo capitals.\n"
POLITE = "---\nquestion: Is it rude?\nscope: text\n---\nBe polite.\n"
ANSWERS = [
    [thinking("THOUGHT one."), text("ANSWER one, at some length for the window. "), OLD],
    [thinking("THOUGHT two."), call("TaskCreate", subject="SUBJECT one", description="SUBJECT in full")],
    [thinking("THOUGHT three."), NEW],
    [text("ANSWER two.")],
]


class Upstream:
    """The model, with a judge whose verdicts cannot be parsed."""

    def __init__(self, answers: list[list[dict[str, Any]]]) -> None:
        self.model = AnthropicModel(answers)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        if body == b"{PROMPT":
            return web.json_response({"error": "REFUSAL"}, status=400)
        asked = json.loads(body)
        judge = AnthropicModel([[text("VERDICT: who knows")]])
        model = judge if asked["model"] == "small-judge" else self.model
        return await stream(request, [sse(model.answer(asked))])


@pytest.fixture
def workspace(shop: Path) -> Path:
    (shop / ".omp" / "rules" / "reminds.md").write_text(REMINDS)
    (shop / ".omp" / "rules" / "polite.md").write_text(POLITE)
    (shop / "ttsr-ls.toml").write_text('features = ["tasks"]\n')
    return shop


async def work(proxy: Served, client: AnthropicClient) -> None:
    while client.take(read_message((await proxy.post(client.request(), **SESSION))[1])):
        for block in client.messages[-1]["content"]:
            block["content"] = "RESULT of the tool"


def written(shop: Path) -> str:
    """All that was written outside of the workspace."""
    files = [path for path in shop.parent.rglob("*") if path.is_file() and shop not in path.parents]
    assert any(path.suffix == ".jsonl" for path in files)
    return "".join(path.read_bytes().decode("utf-8", "replace") for path in files)


def needles_in(content: str) -> list[str]:
    # Conditions of rules are no text of a conversation.
    bare = content.replace('"condition":"deprecated_module"', "").replace('"condition":"ANSWER"', "")
    return [needle for needle in NEEDLES if needle in bare]


async def shown_text(proxy: Served) -> str:
    async with proxy.client.get(f"{proxy.own}/metrics") as answer:
        metrics = await answer.text()
    notices = "".join(map(notice_text, proxy.notices)) + repr(proxy.notices)
    return metrics + json.dumps(await proxy.state()) + notices


@pytest.mark.parametrize("keeps", [False, True])
async def test_without_content_no_file_metric_or_notice_has_the_conversation(workspace: Path, *, keeps: bool) -> None:
    upstream = Upstream(ANSWERS)
    async with served(upstream.handle, workspace, judge="small-judge", keeps_content=keeps) as proxy:
        await work(proxy, AnthropicClient("PROMPT: write a.py"))
        await proxy.post(b"{PROMPT", **SESSION)
        shown = await shown_text(proxy)
    assert len(upstream.model.requests) == len(ANSWERS)
    # With content, the same search finds it.
    in_files = ["PROMPT", "THOUGHT", "ANSWER", "INPUT", "RESULT", "SUBJECT", "deprecated_module"]
    assert needles_in(written(workspace)) == (in_files if keeps else [])
    assert needles_in(shown) == (["VERDICT", "deprecated_module"] if keeps else [])


async def test_a_session_without_content_is_shown_exported_and_resumed(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (workspace / "ttsr-ls.toml").unlink()
    upstream = Upstream([[OLD], [NEW], [text("Done.")], [text("Bye.")]])
    client = AnthropicClient("PROMPT: write a.py")
    async with served(upstream.handle, workspace, keeps_content=False) as proxy:
        await work(proxy, client)
    async with served(upstream.handle, workspace, keeps_content=False) as proxy:
        client.say("And now?")
        await work(proxy, client)
    firsts = [plain(request["messages"][0]) for request in upstream.model.requests[1:]]
    assert "Use new_module." in json.dumps(firsts[0])
    assert firsts[1:] == [firsts[0]] * 2
    monkeypatch.chdir(workspace)
    assert main(["sessions", "show"]) == 0
    shown = capsys.readouterr().out
    assert "no-old" in shown
    assert "[18 characters]" in shown
    assert main(["sessions", "export", "-o", "session.html"]) == 0
    page = (workspace / "session.html").read_text()
    # Both show the rule's condition.
    assert [needle for needle in NEEDLES[:-1] if needle in shown + page] == []
    assert page.count("deprecated_module") == 1
