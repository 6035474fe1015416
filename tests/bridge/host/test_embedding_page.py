"""The program of docs/embedding.md runs unchanged, with a fake of the SDK's client."""

from __future__ import annotations

import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.bridge.host.driving import stream_of
from tests.bridge.wire.provider_answers import Part
from ttsr_ls.session.history.turn_events import Text, ToolCall
from ttsr_ls.session.output.wire_events import Api

PAGE = Path(__file__).parents[3] / "docs" / "embedding.md"
RULE = "---\ncondition: deprecated_module\n---\nUse new_module.\n"


class Client:
    """Streams as the SDK's helper does: objects, with its own `text` events between the provider's."""

    def __init__(self, *answers: tuple[Part, ...]) -> None:
        self._answers = list(answers)
        self.sent: list[dict[str, Any]] = []
        self.closed = 0
        self.messages = self

    @asynccontextmanager
    async def stream(self, **request: Any) -> AsyncIterator[AsyncIterator[Any]]:
        self.sent.append(request)
        try:
            yield self._events(self._answers.pop(0))
        finally:
            self.closed += 1

    async def _events(self, parts: tuple[Part, ...]) -> AsyncIterator[Any]:
        async for event in stream_of(Api.ANTHROPIC, parts):
            known = _object(event)
            yield known
            if event["type"] == "content_block_delta" and event["delta"]["type"] == "text_delta":
                yield SimpleNamespace(type="text", text=event["delta"]["text"])


def _object(value: Any) -> Any:
    return SimpleNamespace(**{key: _object(item) for key, item in value.items()}) if isinstance(value, dict) else value


async def test_the_program_of_the_embedding_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program, *_ = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    assert len(program.splitlines()) < 30
    sdk = ModuleType("anthropic")
    sdk.AsyncAnthropic = Client  # type: ignore[attr-defined]
    types = ModuleType("anthropic.types")
    types.ToolParam = dict  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "anthropic", sdk)
    monkeypatch.setitem(sys.modules, "anthropic.types", types)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".omp" / "rules").mkdir(parents=True)
    (tmp_path / ".omp" / "rules" / "no-old.md").write_text(RULE)
    names: dict[str, Any] = {}
    exec(compile(program, str(PAGE), "exec"), names)  # noqa: S102 - runs the example of the page
    old = (Text("I use deprecated_module."), ToolCall("x1", "bash", "{}"))
    client = Client(old, (ToolCall("c1", "test", "{}"),), (Text("Fixed."),))
    ran: list[str] = []

    async def run_tool(tool: str, arguments: str) -> str:
        ran.append(tool)
        return "passed"

    await names["main"](client, [{"name": "test"}], run_tool)
    assert ran == ["test"]
    assert (len(client.sent), client.closed) == (3, 3)
    assert "Use new_module." in str(client.sent[1]["messages"])
    assert client.sent[0]["tools"] == [{"name": "test"}]
    assert capsys.readouterr().out == "I use deprecated_modFixed."
    assert "InjectionCommitted" in (tmp_path / "session.jsonl").read_text()


def test_every_event_on_the_embedding_page_exists() -> None:
    from ttsr_ls.bridge.host import events

    (row,) = [line for line in PAGE.read_text().splitlines() if line.startswith("| `session.events()`")]
    named = set(re.findall(r"`([A-Z]\w+)`", row))
    assert named == {kind.__name__ for kind in events.SessionEvent.__args__}
