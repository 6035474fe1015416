"""Links to triggers in transcripts: the URI of the transcript, and the line."""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePath
from urllib.parse import quote, unquote, urlsplit

from lsprotocol import types

from ttsr_ls.escaping import one_line
from ttsr_ls.ide.runs.session_run import SessionRun
from ttsr_ls.ide.triggers.trigger_board import LiveTrigger
from ttsr_ls.lsp.server import Server

SCHEME = "ttsr-transcript"


def session_id(log: str) -> str:
    """The id of the session whose log is at a path."""
    path = PurePath(log)
    return f"{path.parent.name}/{path.stem}"


def transcript_uri(run: SessionRun) -> str:
    """Returns the URI of a transcript for clients. Its last part is the title of the tab."""
    try:
        clock = datetime.fromtimestamp(run.started / 1000).strftime("%H.%M")
    except (OverflowError, OSError, ValueError):  # The header of a log may have any number.
        clock = "run"
    title = quote(f"{one_line(run.agent)[:40]} {clock}".replace("/", "-"), safe="")
    # An id may have half of a surrogate pair, from a plugin or from a file name that is no UTF-8.
    return f"{SCHEME}://run/{quote(run.id, errors='surrogatepass')}/{title}.{SCHEME}"


def session_in(uri: str) -> str:
    """The id of the session whose transcript a URI names."""
    try:
        path = unquote(urlsplit(uri).path, errors="surrogatepass")
    except ValueError:
        return ""
    return path.strip("/").rpartition("/")[0]


def transcript_location(server: Server, trigger: LiveTrigger) -> types.Location | None:
    """Returns the location of a trigger in its transcript; None for a client that does not show transcripts."""
    run = server.runs.run(session_id(trigger.log)) if server.client.shows_runs and trigger.log else None
    if run is None:
        return None
    run_trigger = next(
        (run_trigger for run_trigger in run.triggers if run_trigger.trigger.sequence == trigger.sequence), None
    )
    line = run.transcript.line_of(run_trigger.number) if run_trigger is not None else None
    start = types.Position(line or 0, 0)
    return types.Location(transcript_uri(run), types.Range(start, start))
