"""Sessions of many turns, with interrupts, compactions, restarts, and parallel conversations: every request is valid.

The scripted model checks each request as the API would: above all that each signature of thinking comes back behind
exactly the conversation that it was made for.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from tests.bridge.proxy.anthropic_client import AnthropicClient, read_events, read_message
from tests.bridge.proxy.anthropic_model import AnthropicModel, Block, sse, text, thinking, write
from tests.bridge.proxy.proxied import NO_DONE, NO_OLD, Proxied, by_bytes
from ttsr_ls.bridge.proxy.actions import Forward, RetryRequest
from ttsr_ls.bridge.proxy.proxy_limits import ProxyLimits
from ttsr_ls.bridge.proxy.proxy_notices import AnswerRetried
from ttsr_ls.rules.settings.settings import ContextMode, RepeatMode, Settings

RULES = {
    "no_old": NO_OLD,
    "no_done": NO_DONE,
    "no_print": "---\ncondition: 'print\\('\nscope: tool:write\ninterruptMode: never\n---\nUse logging.\n",
    "no_hm": "---\ncondition: hmmm\nscope: text\ninterruptMode: never\n---\nDo not hum.\n",
}
TURNS = 10


class RandomAnswers(Sequence[Sequence[Block]]):
    """Answers of all kinds: with and without thinking, with calls, and with what breaks rules."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._known: dict[int, list[Block]] = {}

    def __len__(self) -> int:
        return 1 << 30

    def __getitem__(self, number: Any) -> Any:
        if number not in self._known:
            self._known[number] = list(self._made(random.Random(f"{self._seed}-{number}"), number))
        return self._known[number]

    def _made(self, chance: random.Random, number: int) -> list[Block]:
        blocks: list[Block] = []
        if chance.random() < 0.7:
            blocks.append(thinking(f"Thought {number} about it, and hmmm."))
        prose = f"Answer {number}: I looked at it. " * chance.randint(1, 4)
        if chance.random() < 0.7:
            ending = chance.choice(("", "", "It is all done.", "hmmm. "))
            blocks.append(text(prose + ending))
        if chance.random() < 0.3:
            blocks.append(thinking(f"More thought {number}."))
        for _ in range(chance.choice((0, 1, 1, 2))):
            content = chance.choice(("x = 1\n", "import deprecated_module\n", "print(1)\n", "y = 2\n"))
            blocks.append(write(content, f"/home/dev/shop/f{number}.py"))
        if not blocks or blocks[-1]["type"] == "thinking":
            blocks.append(text(prose))
        return blocks


class Session:
    """A client with the proxy and the model; `chance` decides what happens."""

    def __init__(self, seed: int, mode: ContextMode) -> None:
        self.chance = random.Random(seed)
        self.model = AnthropicModel(RandomAnswers(seed))
        self.settings = Settings(context_mode=mode, repeat_mode=RepeatMode.AFTER_GAP, repeat_gap=0)
        window = self.chance.choice((0, 8, 400))
        self.limits = ProxyLimits(window=window, retries_per_rule=100, retries_per_turn=100)
        self.proxied = Proxied(RULES, self.settings, self.limits)
        self.retries = 0
        self.restarts = 0

    def restart(self) -> None:
        """The proxy dies, and another goes on with its log."""
        self.retries += self.count()
        self.proxied = Proxied(RULES, self.settings, self.limits, self.proxied.log)
        self.restarts += 1

    def count(self) -> int:
        return sum(isinstance(notice, AnswerRetried) for notice in self.proxied.notices)

    def ask(self, client: AnthropicClient, *, interrupt_after: int | None) -> tuple[bytes, bool]:
        """The client's answer, and whether it was complete; with `interrupt_after`, it leaves after so many chunks."""
        exchange = self.proxied.exchange(client.request())
        body: bytes | None = exchange.body
        got, pieces = b"", 0
        while body is not None:
            answer = sse(self.model.answer(json.loads(body)))
            body = None
            for piece in by_bytes(answer, self.chance.choice((30, 200, 5000))):
                action = exchange.feed(piece, 3)
                got += action.data
                pieces += 1
                if interrupt_after is not None and pieces >= interrupt_after:
                    if self.chance.random() < 0.5:
                        exchange.end(4)  # Else the proxy was killed, too.
                    else:
                        self.restart()
                    return got, False
                if not isinstance(action, Forward):
                    body = action.body if isinstance(action, RetryRequest) else None
                    break
            else:
                got += exchange.finish(3).data
        exchange.end(4)
        return got, True

    def turn(self, client: AnthropicClient) -> None:
        """The client works until an answer calls no tool, or the user interrupts it."""
        interrupt_after = self.chance.choice((None, self.chance.randint(1, 30)))
        for _ in range(12):
            got, is_whole = self.ask(client, interrupt_after=interrupt_after)
            if not is_whole:
                interrupted(client, got)
                return
            if not client.take(read_message(got)):
                return
        client.say("Stop now.")


def interrupted(client: AnthropicClient, got: bytes) -> None:
    """Keeps what Claude Code keeps: finished blocks and partial text; calls get a result that says so."""
    kept = partial_blocks(got)
    while kept and kept[-1]["type"] == "thinking":
        kept.pop()
    notice: list[Block] = []
    if kept:
        client.messages.append({"role": "assistant", "content": kept})
        calls = [block["id"] for block in kept if block["type"] == "tool_use"]
        notice = [{"type": "tool_result", "tool_use_id": call, "content": "interrupted"} for call in calls]
    client.messages.append({"role": "user", "content": [*notice, text("[Request interrupted by user]")]})


def partial_blocks(got: bytes) -> list[Block]:
    data = got[: got.rfind(b"\n\n") + 2]
    blocks: dict[int, Block] = {}
    arguments: dict[int, str] = {}
    closed: set[int] = set()
    for event in read_events(data):
        match event["type"]:
            case "content_block_start":
                blocks[event["index"]] = dict(event["content_block"])
            case "content_block_delta":
                block, delta = blocks[event["index"]], event["delta"]
                for key in ("text", "thinking", "signature"):
                    if key in delta:
                        block[key] += delta[key]
                if "partial_json" in delta:
                    arguments[event["index"]] = arguments.get(event["index"], "") + delta["partial_json"]
                    if event["index"] in arguments:
                        block["input"] = parsed(arguments[event["index"]])
            case "content_block_stop":
                closed.add(event["index"])
            case _:
                pass
    return [
        block
        for index, block in blocks.items()
        if (index in closed or block["type"] == "text") and (block["type"] != "text" or block["text"].strip())
    ]


def parsed(arguments: str) -> Any:
    try:
        return json.loads(arguments)
    except ValueError:
        return {}


def compact(client: AnthropicClient) -> None:
    """The client replaces the beginning of its conversation by a summary, and keeps the last turn."""
    starts = [position for position, message in enumerate(client.messages) if is_prompt(message)]
    client.messages = [
        {"role": "user", "content": [text("Summary of what happened before.")]},
        {"role": "assistant", "content": [text("I understand.")]},
        *client.messages[starts[-1] :],
    ]
    for message in client.messages:  # Signatures are bound to a conversation that is gone.
        if message["role"] == "assistant":
            message["content"] = [block for block in message["content"] if block["type"] != "thinking"]
    client.messages = [message for message in client.messages if message["content"]]


def is_prompt(message: dict[str, Any]) -> bool:
    return message["role"] == "user" and all(block["type"] == "text" for block in message["content"])


@cache
def played(seed: int, mode: ContextMode) -> tuple[Session, AnthropicClient]:
    """A session of ten turns, with a compaction in the middle."""
    session = Session(seed, mode)
    client = AnthropicClient("Turn 0")
    for number in range(TURNS):
        if number:
            client.say(f"Turn {number}")
        session.turn(client)
        if session.chance.random() < 0.2:
            session.restart()
        if number == TURNS // 2:
            compact(client)
    return session, client


@pytest.mark.parametrize("mode", list(ContextMode))
@pytest.mark.parametrize("seed", range(12))
def test_ten_turns_with_interrupts_a_compaction_and_restarts_are_consistent(seed: int, mode: ContextMode) -> None:
    session, client = played(seed, mode)
    assert len(session.model.requests) >= TURNS
    assert "deprecated_module" not in json.dumps([*client.files.values(), client.messages])


def test_the_long_sessions_include_retries_and_restarts() -> None:
    sessions = [played(seed, ContextMode.DISCARD)[0] for seed in range(6)]
    assert sum(session.retries + session.count() for session in sessions) > 20
    assert sum(session.restarts for session in sessions) > 5


@pytest.mark.parametrize("seed", range(8))
def test_parallel_subagents_have_consistent_histories(seed: int) -> None:
    session = Session(seed, ContextMode.DISCARD)
    clients = [AnthropicClient("Main task"), AnthropicClient("Subtask one"), AnthropicClient("Subtask one")]
    for _ in range(8):
        for client in session.chance.sample(clients, len(clients)):
            got, is_whole = session.ask(client, interrupt_after=None)
            assert is_whole
            if not client.take(read_message(got)):
                client.say("More.")
    assert session.count() > 0
