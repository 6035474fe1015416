"""Anchors, aliases and tags: `&name`, `*name`, `!tag`."""

from __future__ import annotations

import re

from ttsr_ls.syntax.yaml.context import YamlContext
from ttsr_ls.syntax.yaml.cursor import YamlCursor
from ttsr_ls.syntax.yaml.errors import YamlError
from ttsr_ls.syntax.yaml.tree import NodeProperties

_NAME = re.compile(r"[^ ,\[\]{}\0-\x1f\x7f-\x84\x86-\x9f]+")
_TAG_CHARS = r"(?:%[0-9a-fA-F]{2}|[\w\-#;/?:@&=+$.~*'()])"
_URI_CHARS = r"(?:%[0-9a-fA-F]{2}|[\w\-#;/?:@&=+$.~*'()!,\[\]])"
_TAG = re.compile(
    rf"!<(?P<uri>{_URI_CHARS}+)>|!(?P<handle>[A-Za-z0-9\-]*)!(?P<suffix>{_TAG_CHARS}+)"
    rf"|!(?P<local>[A-Za-z0-9\-]{_TAG_CHARS}*)|!(?=[ \t\n]|\Z)",
    re.ASCII,
)
_CORE_URI = "tag:yaml.org,2002:"


def read_name(cursor: YamlCursor) -> str:
    """Returns the name after `&` or `*`, at which the cursor is."""
    match = _NAME.match(cursor.text, cursor.offset + 1)
    if match is None:
        raise YamlError(f"`{cursor.peek()}` needs a name directly after it", cursor.offset)
    cursor.offset = match.end()
    return match[0]


def read_properties(
    cursor: YamlCursor, before: NodeProperties | None, handles: frozenset[str], context: YamlContext
) -> NodeProperties:
    """Parses one anchor or tag. Returns it together with `before`, the properties that were read before."""
    start = cursor.offset
    begin = before.start if before is not None else start
    anchor = before.anchor if before is not None else None
    tag = before.tag if before is not None else None
    if cursor.peek() == "&":
        if anchor is not None:
            raise YamlError("a value has two anchors", start)
        anchor = read_name(cursor)
        _check_end(cursor, context)
        return NodeProperties(tag, anchor, begin)
    if tag is not None:
        raise YamlError("a value has two tags", start)
    tag = _read_tag(cursor, handles)
    if tag.startswith("!!"):
        # The reference's runtime does not check the text after a local tag (`!name`).
        _check_end(cursor, context)
    return NodeProperties(tag, anchor, begin)


def _read_tag(cursor: YamlCursor, handles: frozenset[str]) -> str:
    match = _TAG.match(cursor.text, cursor.offset)
    if match is None:
        raise YamlError("the tag is not complete", cursor.offset)
    handle = match["handle"]
    if handle and handle not in handles:
        raise YamlError(f"the tag handle `!{handle}!` is not declared", cursor.offset)
    cursor.offset = match.end()
    if match["uri"] is not None:
        uri = match["uri"]
        return f"!!{uri.removeprefix(_CORE_URI)}" if uri.startswith(_CORE_URI) else f"!<{uri}>"
    return match[0]


def join_properties(before: NodeProperties | None, after: NodeProperties | None) -> NodeProperties | None:
    """Returns the properties of a node that has some on the lines before it and some on its own line."""
    if before is None or after is None:
        return before or after
    if before.anchor is not None and after.anchor is not None:
        raise YamlError("a value has two anchors", after.start)
    if before.tag is not None and after.tag is not None:
        raise YamlError("a value has two tags", after.start)
    return NodeProperties(before.tag or after.tag, before.anchor or after.anchor, before.start)


def _check_end(cursor: YamlCursor, context: YamlContext) -> None:
    if not cursor.is_blank_at(0) and not (context is YamlContext.FLOW and cursor.peek() in ",[]{}"):
        raise YamlError("a blank must follow an anchor or a tag", cursor.offset)
