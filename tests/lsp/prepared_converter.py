"""Has the converter of messages generate its code where this is imported, as a fork server does before it forks.

A server needs most of it to read what an editor says of itself, and to answer that.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import attrs
from lsprotocol import types

from ttsr_ls.lsp.features import NOTIFICATIONS, REQUESTS
from ttsr_ls.lsp.transport.message_converter import message_converter

CAPABILITIES = Path(__file__).parents[1] / "vectors" / "editor_capabilities.json"


def _prepare() -> None:
    converter = message_converter()
    sent: set[object] = set()
    for method in ("initialize", "initialized", "shutdown", "exit", *REQUESTS, *NOTIFICATIONS):
        message, response, *_ = types.METHOD_TO_TYPES[method]
        converter.get_structure_hook(message)
        sent.update(_classes(response, sent))
    for sent_type in sent:
        converter.get_unstructure_hook(sent_type)
    for recorded in json.loads(CAPABILITIES.read_text(encoding="utf-8")).values():
        if "capabilities" in recorded:
            converter.structure(recorded["capabilities"], types.ClientCapabilities)


def _classes(of: object, known: set[object]) -> Iterator[object]:
    """The classes of the protocol that a value of a type may have in it, without those that are known."""
    open_types, seen = [of], set(known)
    while open_types:
        found = open_types.pop()
        open_types.extend(get_args(found))
        if isinstance(found, type) and attrs.has(found) and found not in seen:
            seen.add(found)
            yield found
            open_types.extend(field.type for field in attrs.fields(found))


_prepare()
