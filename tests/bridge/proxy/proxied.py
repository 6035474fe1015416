"""Sessions and exchanges of the proxy without sockets, as its shell drives them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePosixPath

from tests.bridge.proxy.anthropic_client import AnthropicClient, read_message
from tests.bridge.proxy.anthropic_model import AnthropicModel, Block, sse
from tests.bridge.watch.watching import MemoryLog, observer, rules
from ttsr_ls.bridge.proxy.actions import AskFeatures, EndAnswer, Forward, ProxyAction, RetryRequest
from ttsr_ls.bridge.proxy.exchange import ProxyExchange
from ttsr_ls.bridge.proxy.features.proxy_features import ProxyFeatures
from ttsr_ls.bridge.proxy.ledger.ledger import Ledger
from ttsr_ls.bridge.proxy.ledger.shared_entry import SharedEntries
from ttsr_ls.bridge.proxy.proxy_limits import ProxyLimits
from ttsr_ls.bridge.proxy.proxy_notices import ProxyNotice
from ttsr_ls.bridge.proxy.proxy_session import ProxySession
from ttsr_ls.bridge.proxy.serving.stored_ledger import entries_of
from ttsr_ls.bridge.proxy.wires import ANTHROPIC, ProxyWire
from ttsr_ls.bridge.watch.notifying_log import NotifyingLog
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.session.hooks.contract import Feature
from ttsr_ls.session.rules.rules_by_dialect import RulesByDialect

NO_OLD = "---\ncondition: deprecated_module\n---\nUse new_module.\n"
NO_DONE = "---\ncondition: all done\nscope: text\n---\nSay what you ran.\n"

Answer = Callable[[bytes], bytes]
"""Returns upstream's answer to a body."""


class Proxied:
    """A session of the proxy with rules, and a log in memory."""

    def __init__(
        self,
        texts: dict[str, str] | RulesByDialect,
        settings: Settings | None = None,
        limits: ProxyLimits | None = None,
        log: MemoryLog | None = None,
        wire: ProxyWire = ANTHROPIC,
        features: Iterable[Feature] = (),
        shared: SharedEntries | None = None,
    ) -> None:
        self.log = kept = MemoryLog() if log is None else log
        self.notices: list[ProxyNotice] = []
        self.sent: list[bytes] = []
        """The bodies that upstream got."""
        self.wire = wire
        dialect, settings = texts if isinstance(texts, RulesByDialect) else rules(**texts), settings or Settings()
        self.messages: list[str] = []
        self.features = ProxyFeatures(features, None, self.messages.append) if features else None
        followed = kept if self.features is None else NotifyingLog(kept, self.features.evolve)
        observed = observer(followed, dialect, settings=settings)
        events = self.log.events
        observed.resume(events)
        ledger = Ledger()
        ledger.add_recorded(entries_of(events), is_own=True)
        self.session = ProxySession(
            observed,
            lambda _: dialect,
            settings,
            ledger,
            PurePosixPath("/home/dev/shop"),
            PurePosixPath("/home/dev"),
            limits or ProxyLimits(),
            self.notices.append,
            shared=shared,
            features=self.features,
        )
        if self.features is not None:
            self.features.resume(events)
        self.session.start("s1", 1)

    def exchange(self, body: bytes, agent: str = "") -> ProxyExchange:
        return ProxyExchange(self.session, self.wire, body, self.wire.requests.read(body), agent, 2)

    def ask(self, body: bytes, answer: Answer, cut: Callable[[bytes], Iterable[bytes]] = lambda data: [data]) -> bytes:
        """The client's answer to a request, when upstream's bytes come in the chunks of `cut`."""
        exchange = self.exchange(body)
        opening = exchange.opening_question()
        if opening is not None:
            self.answered(exchange, AskFeatures(b"", opening))
        got, upstream = b"", exchange.body
        while True:
            self.sent.append(upstream)
            for piece in cut(answer(upstream)):
                action = exchange.feed(piece, 3)
                got += action.data
                while isinstance(action, AskFeatures):
                    action = self.answered(exchange, action)
                    got += action.data
                if not isinstance(action, Forward):
                    break
            else:
                action = exchange.finish(3)
                got += action.data
            if not isinstance(action, RetryRequest):
                break
            upstream = action.body
        assert isinstance(action, EndAnswer | Forward)
        exchange.end(4)
        return got

    def answered(self, exchange: ProxyExchange, asking: AskFeatures) -> ProxyAction:
        assert self.features is not None
        return exchange.handle_feature_answer(asyncio.run(self.features.ask(asking.question)), 3)


def run(proxied: Proxied, answers: Sequence[Sequence[Block]], client: AnthropicClient | None = None) -> AnthropicClient:
    """Has a client work until an answer calls no tool, with a model that validates each request."""
    client = client or AnthropicClient()
    model = AnthropicModel(answers)

    def answer(body: bytes) -> bytes:
        return sse(model.answer(json.loads(body)))

    while client.take(read_message(proxied.ask(client.request(), answer, by_bytes))):
        pass
    assert len(model.requests) == len(answers)
    return client


def by_bytes(data: bytes, size: int = 7) -> list[bytes]:
    return [data[position : position + size] for position in range(0, len(data), size)]
