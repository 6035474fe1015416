"""The params of `ttsr/testText`."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from pygls.exceptions import JsonRpcInvalidParams

from ttsr_ls.ide.text_trial.streamed_text import TextKind
from ttsr_ls.ide.text_trial.text_trial import DEFAULT_CHUNK
from ttsr_ls.text import Position

MAX_CHARACTERS = 1_000_000
"""The longest text that is tried, in code points."""


class TrialSubject(Struct, frozen=True):
    """A rule in an editor; `text` None: the text of the editor, else of the disk."""

    uri: str
    text: str | None


class TrialQuery(Struct, frozen=True):
    """The parameters of a trial. None means: to be determined.

    `uri` is the file that contains the text. `rule` is the only tested rule; `names` are the only tested rules.
    """

    text: str
    uri: str | None
    kind: TextKind | None
    tool: str | None
    path: str | None
    rule: TrialSubject | None
    names: tuple[str, ...] | None
    chunk: int
    shown: int | None
    start: Position
    """The start of the text in its file, in code points."""


def read_trial_params(params: object) -> TrialQuery:
    """Reads the params. Raises `JsonRpcInvalidParams` with the reason."""
    given = params if isinstance(params, dict) else {}
    text = given.get("text")
    if not isinstance(text, str):
        raise JsonRpcInvalidParams("ttsr/testText takes one object with a string 'text'")
    if len(text) > MAX_CHARACTERS:
        # Editors show this message to the user, who knows no method.
        raise JsonRpcInvalidParams(f"A test takes at most {MAX_CHARACTERS:,} characters: select a part")
    kind = _string(given, "kind")
    if kind is not None and kind not in list(TextKind):
        raise JsonRpcInvalidParams(f"'kind' of ttsr/testText is one of {', '.join(TextKind)}")
    names = given.get("rules")
    if names is not None and not (isinstance(names, list) and all(isinstance(name, str) for name in names)):
        raise JsonRpcInvalidParams("'rules' of ttsr/testText is a list of rule names")
    chunk, shown = _count(given, "chunk"), _count(given, "shown")
    return TrialQuery(
        text=text,
        uri=_uri(given.get("textDocument"), "textDocument"),
        kind=None if kind is None else TextKind(kind),
        tool=_string(given, "tool"),
        path=_string(given, "path"),
        rule=_rule(given.get("rule")),
        names=None if names is None else tuple(names),
        chunk=DEFAULT_CHUNK if chunk is None else max(chunk, 1),
        shown=shown,
        start=_start(given.get("start")),
    )


def _rule(given: object) -> TrialSubject | None:
    uri = _uri(given, "rule")
    if uri is None or not isinstance(given, dict):
        return None
    return TrialSubject(uri, _string(given, "text"))


def _uri(given: object, name: str) -> str | None:
    if given is None:
        return None
    if not isinstance(given, dict) or not isinstance(given.get("uri"), str):
        raise JsonRpcInvalidParams(f"'{name}' of ttsr/testText is an object with a string 'uri'")
    uri: str = given["uri"]
    return uri


def _start(given: object) -> Position:
    place = {} if given is None else given
    if not isinstance(place, dict):
        raise JsonRpcInvalidParams("'start' of ttsr/testText is an object with the numbers 'line' and 'character'")
    return Position(_count(place, "line") or 0, _count(place, "character") or 0)


def _string(given: dict[str, Any], name: str) -> str | None:
    value = given.get(name)
    if not isinstance(value, str | None):
        raise JsonRpcInvalidParams(f"'{name}' of ttsr/testText is a string")
    return value


def _count(given: dict[str, Any], name: str) -> int | None:
    value = given.get(name)
    if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
        raise JsonRpcInvalidParams(f"'{name}' of ttsr/testText is a number that is not negative")
    return value
