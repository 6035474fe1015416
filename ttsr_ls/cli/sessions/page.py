"""A session as one HTML page: a timeline with the turns and triggers, and the transcript below it.

The page needs no other file and runs no script. Everything in it is text of agents and rules, so it is hostile: it is
escaped, and a content security policy permits nothing but the page's own style.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from html import escape

from ttsr_ls.cli.printing.counting import count
from ttsr_ls.cli.sessions.entries import BlockEntry, SessionCounts, SessionEntry, TriggerEntry, TurnEntry, shown_moment
from ttsr_ls.escaping import one_line, printable
from ttsr_ls.ide.runs.step_text import StepBlock
from ttsr_ls.store.log.header import Header

MAX_BODY_LENGTH = 100_000
"""In characters; a longer text is truncated."""
MAX_PAGE_LENGTH = 50_000_000
"""In characters; further entries are left out."""
_WIDTH = 1_000
_MAX_MARKS = 2_000

_STYLE = """
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin-bottom: 0; }
h2 { font-size: 1rem; margin: 2rem 0 .5rem; border-top: 1px solid #8886; padding-top: .5rem; }
time, .meta { color: #888; font-size: .85em; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .2rem 0 .8rem 1rem; font-size: .85rem; }
.trigger { border-left: 4px solid #d33; padding: .3rem .8rem; margin: .6rem 0; background: #d331; }
.reminds { border-color: #d90; background: #d901; }
mark { background: #f66a; color: inherit; }
svg { width: 100%; height: 48px; }
.turn { fill: #48c8; } .interrupted { fill: #d33; } .reminded { fill: #d90; } .axis { fill: #8884; }
:target { outline: 2px solid #48c; }
"""
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none'"


def session_page(
    header: Header, entries: list[SessionEntry], counts: SessionCounts, problems: int, max_length: int = MAX_PAGE_LENGTH
) -> Iterator[str]:
    """The page in parts. Entries beyond `max_length` characters are left out."""
    title = _text(f"{header.agent} · {shown_moment(header.started)}")
    yield (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">\n'
        '<meta name="viewport" content="width=device-width">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    )
    numbers = counts.shown
    yield f'<p class="meta">{_text(header.workspace)}<br>{_text(header.session)}<br>{numbers}</p>\n'
    if problems:
        yield f'<p class="meta">{count(problems, "line")} of the log could not be read.</p>\n'
    yield from _timeline(header.started, max(counts.ended, header.started + 1), entries)
    size = 0
    for number, entry in enumerate(entries):
        part = _entry(number, entry, header.started)
        size += len(part)
        if size > max_length:
            yield f'<p class="meta">The page is too long; {len(entries) - number:,} entries are left out.</p>\n'
            break
        yield part
    yield "</body>\n</html>\n"


def _timeline(started_at: int, ended: int, entries: list[SessionEntry]) -> Iterator[str]:
    """Turns as bars and triggers as marks, each a link to its place. Positions are attributes: styles are forbidden."""

    def place(time: int) -> float:
        return round(_WIDTH * (min(max(time, started_at), ended) - started_at) / (ended - started_at), 1)

    yield f'<svg viewBox="0 0 {_WIDTH} 48" preserveAspectRatio="none" role="img" aria-label="timeline">'
    yield f'<rect class="axis" x="0" y="22" width="{_WIDTH}" height="4"/>'
    turns = [(number, entry) for number, entry in enumerate(entries) if isinstance(entry, TurnEntry)][:_MAX_MARKS]
    for position, (number, turn) in enumerate(turns):
        until = turns[position + 1][1].time if position + 1 < len(turns) else ended
        width = max(place(until) - place(turn.time) - 1, 1)
        yield (
            f'<a href="#e{number}"><rect class="turn" x="{place(turn.time)}" y="14" width="{width}" height="20">'
            f"<title>{_text(turn.turn)}</title></rect></a>"
        )
    marks = [(number, entry) for number, entry in enumerate(entries) if isinstance(entry, TriggerEntry)][:_MAX_MARKS]
    for number, trigger in marks:
        kind = "interrupted" if trigger.event.interrupts else "reminded"
        yield (
            f'<a href="#e{number}"><rect class="{kind}" x="{place(trigger.time)}" y="4" width="4" height="40">'
            f"<title>{_text(trigger.event.rule)}</title></rect></a>"
        )
    yield "</svg>\n"


def _entry(number: int, entry: SessionEntry, started_at: int) -> str:
    match entry:
        case TurnEntry():
            moment = f"<time>{_elapsed(entry.time - started_at)}</time>"
            return f'<h2 id="e{number}">{_text(entry.turn)} {moment}</h2>\n{_block(entry.block)}'
        case TriggerEntry():
            return _trigger(number, entry, started_at)
        case BlockEntry():
            return _block(entry.block)


def _trigger(number: int, entry: TriggerEntry, started_at: int) -> str:
    event = entry.event
    excerpt = event.excerpt
    before, match, after = (
        escape(printable(part))
        for part in (
            excerpt.text[: excerpt.start],
            excerpt.text[excerpt.start : excerpt.end],
            excerpt.text[excerpt.end :],
        )
    )
    place = event.target.path if event.target is not None else (event.tool or str(event.source))
    outcome = f": {entry.outcome}" if entry.outcome else ""
    kind = "trigger" if event.interrupts else "trigger reminds"
    return (
        f'<div class="{kind}" id="e{number}"><strong>{_text(event.rule)}</strong> fired on {_text(place)}{outcome} '
        f"<time>{_elapsed(entry.time - started_at)}</time>\n<pre>{before}<mark>{match}</mark>{after}</pre>"
        f'<span class="meta">{_text(event.condition)}</span></div>\n'
    )


def _block(block: StepBlock) -> str:
    title = _text(block.title)
    if block.body is None or not block.body.strip():
        return f"<div>{title}</div>\n"
    text = block.body
    if len(text) > MAX_BODY_LENGTH:
        text = f"{text[:MAX_BODY_LENGTH]}\n… {len(text):,} characters"
    body = f"<pre>{escape(printable(text))}</pre>"
    return f"<details><summary>{title}</summary>{body}</details>\n" if block.folded else f"<div>{title}</div>{body}\n"


def _text(value: str) -> str:
    return escape(one_line(value))


def _elapsed(milliseconds: int) -> str:
    minutes, rest = divmod(max(milliseconds, 0), 60_000)
    return f"{minutes}:{rest / 1000:04.1f}"
