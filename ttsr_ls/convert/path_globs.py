"""File globs for conditions on `file_path` that require certain endings of paths, or a folder."""

from __future__ import annotations

import re

from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.esregex.tree.bottom_up import fold_tree
from ttsr_ls.esregex.tree.nodes import (
    Alternation,
    Assertion,
    AssertionKind,
    Capture,
    Chars,
    Group,
    Node,
    Repeat,
    Sequence,
)

MAX_GLOBS = 16
_MAX_UNITS = 8
_PLAIN = re.compile(r"[\w.@+-]+")
_ANYTHING = re.compile(r"\^?(?:\[\^\\n\]\*\??|\((?:\?:)?\[\^\\n\]\*\)|\[\^/\]\*)")
_FOLDER = re.compile(r"/[\w.@+-]+(?:/[\w.@+-]+)*/")


def globs_for_endings(pattern: str) -> tuple[str, ...] | None:
    r"""Returns globs for the paths that an ECMAScript pattern (without flags) matches; None if they are not simple
    enough.

    Each alternative must end in `$` and match a finite set of endings: `\.tsx?$`, `\.(?:js|ts)$`, `/package\.json$`.
    """
    prefix = _ANYTHING.match(pattern)
    root = parse(pattern[prefix.end() :] if prefix is not None and "|" not in pattern else pattern).root
    branches = root.branches if isinstance(root, Alternation) else (root,)
    found_texts: list[str] = []
    for branch in branches:
        items = branch.items if isinstance(branch, Sequence) else (branch,)
        if not items or not isinstance(items[-1], Assertion) or items[-1].kind is not AssertionKind.INPUT_END:
            return None
        texts = fold_tree(Sequence(branch.span, items[:-1]), _texts)
        if texts is None:
            return None
        for text in texts:
            glob = glob_for_ending(text)
            if glob is None:
                return None
            found_texts.append(glob)
    globs = tuple(dict.fromkeys(found_texts))
    return globs if 0 < len(globs) <= MAX_GLOBS else None


def glob_for_ending(text: str) -> str | None:
    """Returns the glob of all paths that end in a text; None if no glob expresses that."""
    if _PLAIN.fullmatch(text):
        return f"*{text}"
    if text.startswith("/") and _PLAIN.fullmatch(text[1:]):
        return text[1:]
    return None


def glob_for_folder(text: str) -> str | None:
    """Returns the glob of all paths that contain a folder, given as `/migrations/`; None for any other text."""
    return f"**{text}**" if _FOLDER.fullmatch(text) else None


def join_globs(globs: tuple[str, ...]) -> str:
    """Returns one glob for several globs."""
    if len(globs) == 1:
        return globs[0]
    if all(glob.startswith("*.") for glob in globs):
        return f"*.{{{','.join(glob[2:] for glob in globs)}}}"
    return f"{{{','.join(globs)}}}"


def _texts(node: Node, child_results: tuple[tuple[str, ...] | None, ...]) -> tuple[str, ...] | None:
    """Returns the texts that a node matches; None if they are too many, or if the node has assertions."""
    match node:
        case Chars():
            units = [
                low + position
                for low, high in node.units.ranges
                for position in range(min(high - low + 1, _MAX_UNITS + 1))
            ]
            return tuple(map(chr, units)) if len(units) <= _MAX_UNITS else None
        case Capture() | Group():
            return child_results[0]
        case Alternation():
            found_texts = [text for texts in child_results if texts is not None for text in texts]
            return tuple(found_texts) if None not in child_results and len(found_texts) <= MAX_GLOBS else None
        case Sequence():
            return _concatenations(child_results)
        case Repeat(minimum=0 | 1 as least, maximum=1):
            return child_results[0] if child_results[0] is None or least else ("", *child_results[0])
        case _:
            return None


def _concatenations(parts: tuple[tuple[str, ...] | None, ...]) -> tuple[str, ...] | None:
    texts: tuple[str, ...] = ("",)
    for part in parts:
        if part is None or len(texts) * len(part) > MAX_GLOBS:
            return None
        texts = tuple(before + after for before in texts for after in part)
    return texts
