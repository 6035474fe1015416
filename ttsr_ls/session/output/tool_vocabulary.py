"""The matched form of tool calls: canonical names, paths, and text (spec T3).

A call that writes to a file is matched by the decoded text that it would write. Any other is matched by its JSON
argument text, as in the reference agent (spec M4, M7), so that a rule means the same with every agent. The tools are an
agent's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import islice

from msgspec import Struct

from ttsr_ls.session.history.turn_events import Extent
from ttsr_ls.session.output.agent_events import ReplacedText
from ttsr_ls.session.output.edit_texts import EditTexts
from ttsr_ls.session.output.partial_json import JsonValue

_NOT_IN_SCOPES = re.compile("[^a-z0-9_-]")
MAX_ARGUMENTS = 200
"""The most arguments of a call that are searched for paths, if the tool is no writing tool; no tool has as many."""
MAX_PATHS = 1_000
"""The most paths of a call; further ones are ignored."""
MAX_REPLACED = 32
"""The longest list of edits whose replaced texts are looked up."""


class Writer(Struct, frozen=True):
    """A tool that writes to a file: the arguments that may contain the path, those that may contain the text, and its
    extent.

    The text may also be a list of edits; `pieces` are the keys that may contain the text of one, none if the edits are
    texts. The keys `replaced` may contain the text that an edit replaces. A call whose arguments contain one of the
    items of `unless` writes nothing.
    """

    path: tuple[str, ...]
    text: tuple[str, ...]
    extent: Extent
    pieces: tuple[str, ...] = ("new_string",)
    unless: tuple[tuple[str, str], ...] = ()
    replaced: tuple[str, ...] = ("old_string",)


class Vocabulary(Struct, frozen=True):
    """The tools of an agent. `canonical`, `pathless` and `writers` are keyed by their names on its wire.

    The calls of `pathless` tools have no paths, so that no glob can exclude commands from a rule about them.
    """

    canonical: Mapping[str, str]
    pathless: frozenset[str]
    writers: Mapping[str, Writer]

    def name(self, tool: str) -> str:
        """Returns the name of a tool in scopes. A tool that the reference agent does not have keeps its own, in lower
        case, with `_` for each character that a scope cannot have (spec S2, T3).
        """
        return self.canonical.get(tool) or _NOT_IN_SCOPES.sub("_", tool.lower())

    def writer(self, tool: str) -> Writer | None:
        """Returns what a tool writes; None if it does not write to files."""
        return self.writers.get(tool)

    def raw_paths(self, tool: str, arguments: Mapping[str, JsonValue], unfinished: str | None) -> tuple[str, ...]:
        """Returns the paths of a call as the agent wrote them.

        That of a writing tool; else every top-level argument whose key ends in `path`, or the items of one that ends in
        `paths` (spec G4); only the first ones if there are very many. The value under the key `unfinished` is ignored,
        because a prefix of a path is another path.
        """
        if tool in self.pathless:
            return ()
        writer = self.writers.get(tool)
        paths: list[str] = []
        keys: Iterable[str] = islice(arguments, MAX_ARGUMENTS)
        if writer is not None:
            keys = [key for key in writer.path if key in arguments]
            if len(keys) > 1:
                keys = [key for key in arguments if key in writer.path]
        for key in keys:
            value = arguments[key]
            if key == unfinished:
                continue
            if isinstance(value, str) and (writer is not None or key.lower().endswith("path")):
                paths.append(value)
            elif isinstance(value, list) and key.lower().endswith("paths"):
                paths += [item for item in value if isinstance(item, str)]
        return tuple(paths[:MAX_PATHS])


def writes_nothing(writer: Writer, arguments: Mapping[str, JsonValue]) -> bool:
    """Returns whether the arguments of a call declare that it writes no text."""
    return bool(writer.unless) and any(arguments.get(key) == value for key, value in writer.unless)


def written_text(
    writer: Writer, arguments: Mapping[str, JsonValue], texts_of: dict[str, EditTexts] | None = None
) -> str | None:
    """Returns the text that a call writes, as far as its arguments contain it; None if there is none, or if it is
    unknown yet.

    The texts of several edits are joined by line ends. `texts_of` caches the joined texts by argument.
    """
    if writes_nothing(writer, arguments):
        return None
    for key in writer.text:
        value = arguments.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list):
            edits = None if texts_of is None else texts_of.get(key)
            if edits is None:
                edits = EditTexts(writer.pieces)
                if texts_of is not None:
                    texts_of[key] = edits
            text = edits.join(value)
            if text is not None:
                return text
    return None


def replaced_texts(writer: Writer, arguments: Mapping[str, JsonValue]) -> tuple[ReplacedText, ...]:
    """Returns the texts that the edits of a call replace, as far as its arguments contain them.

    Empty for a long list of edits, because this is computed again whenever the list grows.
    """
    for key in writer.text:
        value = arguments.get(key)
        if isinstance(value, str):
            old = _text_under(writer.replaced, arguments)
            return () if old is None else (ReplacedText(0, old),)
        if isinstance(value, list):
            return _replaced_by(writer, value) if len(value) <= MAX_REPLACED else ()
    return ()


def _replaced_by(writer: Writer, edits: Iterable[JsonValue]) -> tuple[ReplacedText, ...]:
    replaced: list[ReplacedText] = []
    start = 0
    for edit in edits:
        texts = [text for key in writer.pieces if isinstance(edit, dict) and isinstance(text := edit.get(key), str)]
        if isinstance(edit, dict) and texts:
            old = _text_under(writer.replaced, edit)
            if old is not None:
                replaced.append(ReplacedText(start, old))
            start += sum(len(text) + 1 for text in texts)
    return tuple(replaced)


def _text_under(keys: Iterable[str], arguments: Mapping[str, JsonValue]) -> str | None:
    return next((text for key in keys if isinstance(text := arguments.get(key), str) and text), None)
