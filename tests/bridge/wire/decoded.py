"""The events of a decoder, sorted by kind."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from msgspec import Struct

from ttsr_ls.bridge.wire.answer_limits import ANSWER_LIMITS, AnswerLimits
from ttsr_ls.bridge.wire.decoding import build_decoder
from ttsr_ls.rules.stream import BlockEnd, Delta, Snapshot
from ttsr_ls.session.history.turn_output import Output
from ttsr_ls.session.output.wire_events import (
    Api,
    PartFinished,
    PartTruncated,
    ResponseDelta,
    ResponseFinished,
    WireEvent,
    WireFailed,
)

CWD = PurePosixPath("/project")


class Decoded(Struct, frozen=True):
    events: tuple[WireEvent, ...]

    @property
    def outputs(self) -> list[Output]:
        return [event.output for event in self.events if isinstance(event, PartFinished)]

    @property
    def truncated(self) -> list[Output]:
        return [event.output for event in self.events if isinstance(event, PartTruncated)]

    @property
    def reason(self) -> str | None:
        return next((event.reason for event in self.events if isinstance(event, ResponseFinished)), None)

    @property
    def failure(self) -> str | None:
        return next((event.message for event in self.events if isinstance(event, WireFailed)), None)

    @property
    def streamed(self) -> list[ResponseDelta]:
        return [event for event in self.events if isinstance(event, ResponseDelta)]

    @property
    def texts(self) -> dict[tuple[str, str], str]:
        """The final matched text of each stream that ended, by its source and key."""
        growing: dict[tuple[str, str], str] = {}
        ended: dict[tuple[str, str], str] = {}
        for delta in self.streamed:
            context = delta.event.context
            key = (context.source.value, context.key or "")
            match delta.event:
                case Delta(text=text):
                    growing[key] = growing.get(key, "") + text
                case Snapshot(text=text):
                    growing[key] = text
                case BlockEnd():
                    ended[key] = ended.get(key, "") + growing.pop(key, "")
        return ended


def decode(api: Api, events: Iterable[object], limits: AnswerLimits = ANSWER_LIMITS) -> Decoded:
    decoder = build_decoder(api, CWD, limits=limits)
    decoded: list[WireEvent] = []
    for event in events:
        decoded += decoder.feed(event)
    return Decoded((*decoded, *decoder.finish()))
