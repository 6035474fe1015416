"""Agents' streams that were cut, stalled, garbled, doubled, or lost lines: what their adapters must make of them.

`python -m tests.hostile.damaged_streams --times 800 PATH …` damages each capture in the paths so often, and prints what
is wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.bridge.watch.watching import NO_OLD, MemoryLog, observer, rules
from ttsr_ls.bridge.adapters.agents import SOURCES
from ttsr_ls.bridge.adapters.detection import detect_source
from ttsr_ls.rules.stream import Delta
from ttsr_ls.session.history.turn_fold import fold
from ttsr_ls.session.output.agent_events import AgentDelta, AgentEvent, StreamDamaged

RULES = rules(no_old=NO_OLD)
KINDS = ("cut", "stalled", "garbled", "doubled", "lost", "inserted", "swapped")


def feed(source: str, chunks: Iterable[bytes]) -> tuple[list[AgentEvent], list[AgentEvent]]:
    """The events of a stream, and those of its end."""
    adapter = SOURCES[source].make(None)
    return [event for chunk in chunks for event in adapter.feed(chunk)], adapter.finish()


def problems(source: str, data: bytes, kind: str, choices: random.Random) -> Iterator[str]:
    """Damages a stream once and says what its adapter does wrong, in words."""
    lines = data.splitlines(keepends=True)
    number = choices.randrange(len(lines))
    line = lines[number]
    before = [event for event in feed(source, lines[:number])[0] if not is_damage(event)]
    match kind:
        case "cut":
            position = choices.randrange(len(data))
            events, end = feed(source, [data[:position]])
            whole = feed(source, [data])[0]
            if whole[: len(events)] != events:
                yield "events differ that came before the cut"
            tail = data[:position].rpartition(b"\n")[2]
            if is_unreadable(tail) and not any(map(is_damage, end)):
                yield f"the cut line {tail[:60]!r} is not reported"
        case "stalled":
            pauses = sorted(choices.randrange(len(data)) for _ in range(choices.randrange(1, 8)))
            pieces = [data[start:stop] for start, stop in zip([0, *pauses], [*pauses, len(data)], strict=True)]
            if feed(source, pieces) != feed(source, [data]):
                yield "events depend on the pauses of the stream"
        case "garbled":
            position = choices.randrange(len(line))
            limits = bytes(byte for byte in choices.randbytes(3) if byte not in b"\r\n")
            garbled = line[:position] + limits + line[position + 3 :]
            if not garbled.endswith(b"\n"):
                garbled += b"\n"
            yield from unreadable_line(source, lines, number, [garbled])
        case "inserted":
            limits = choices.choice(
                [b"data: {nothing\n", b"{\n", b"}{\n", b"\xff\xfe\n", b"null\n", b"panic: at the disco\n"]
            )
            yield from unreadable_line(source, lines, number, [limits, line])
        case "doubled":
            events, end = feed(source, [*lines[: number + 1], *lines[number:]])
            said = "".join(texts([*events, *end]))
            if losses := [text for text in texts(map_feed(source, lines)) if text not in said]:
                yield f"a doubled line lost {losses[:2]}"
        case "lost":
            events, _ = feed(source, [*lines[:number], *lines[number + 1 :]])
            if [event for event in events if not is_damage(event)][: len(before)] != before:
                yield "events differ that came before the lost line"
        case "swapped":
            other = choices.randrange(len(lines))
            lines[number], lines[other] = lines[other], lines[number]
            feed(source, lines)
    yield from observed(source, lines)


def unreadable_line(source: str, lines: list[bytes], number: int, instead: list[bytes]) -> Iterator[str]:
    """A line that cannot be read is reported, and all other lines read as if it were not there."""
    events, end = feed(source, [*lines[:number], *instead, *lines[number + 1 :]])
    if not is_unreadable(instead[0].rstrip(b"\r\n")):
        return
    if [*events, *end] == map_feed(source, lines):
        return  # What is damaged is a field that nobody reads.
    if not any(map(is_damage, [*events, *end])):
        yield f"the line {instead[0][:60]!r} is not reported"
    rest = [event for event in [*events, *end] if not is_damage(event)]
    without_events = map_feed(source, [*lines[:number], *instead[1:], *lines[number + 1 :]])
    if rest != [event for event in without_events if not is_damage(event)]:
        yield f"the line {instead[0][:60]!r} changes what the other lines read as"


def map_feed(source: str, lines: list[bytes]) -> list[AgentEvent]:
    events, end = feed(source, lines)
    return [*events, *end]


def observed(source: str, lines: list[bytes]) -> Iterator[str]:
    """Whatever an adapter says, the log of it can be folded."""
    log = MemoryLog()
    watching = observer(log, RULES)
    watching.start(0)
    for event in map_feed(source, lines):
        watching.feed_event(event, 0)
    fold(log.events)
    return
    yield


def texts(events: Iterable[AgentEvent]) -> list[str]:
    """The prose. The arguments of a call are one text, which a doubled piece of it changes."""
    deltas = [event.event for event in events if isinstance(event, AgentDelta) and event.call is None]
    return [delta.text for delta in deltas if isinstance(delta, Delta)]


def is_damage(event: AgentEvent) -> bool:
    return isinstance(event, StreamDamaged)


def is_unreadable(line: bytes) -> bool:
    """Returns whether a line should have been JSON and is not. Fields of server-sent events beside `data` say
    nothing."""
    line = line.removeprefix(b"data:").strip()
    if not line or line == b"[DONE]" or line.startswith((b"event:", b"id:", b"retry:", b":")):
        return False
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return True
    return not isinstance(value, dict | list)


def main() -> int:
    """Damages and prints; the status is 1 if something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile.damaged_streams", description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--times", type=int, default=800)
    parser.add_argument("--seed", type=int, default=11)
    arguments = parser.parse_args()
    found: Counter[str] = Counter()
    streams = 0
    for path in sorted(item for root in arguments.paths for item in root.rglob("*") if item.is_file()):
        data = path.read_bytes()
        source, _ = detect_source([data])
        if source is None:
            continue
        streams += 1
        choices = random.Random(f"{arguments.seed} {path.name}")
        for turn in range(arguments.times):
            kind = KINDS[turn % len(KINDS)]
            try:
                wrong = list(problems(source, data, kind, choices))
            except Exception as error:
                wrong = [f"raised {type(error).__name__}: {error}"]
            for item in wrong:
                found[f"{source}, {kind}: {item}"] += 1
    print(f"{streams} streams, each damaged {arguments.times} times")
    for problem, count in found.most_common(60):
        print(f"{count} × {problem}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
