"""Finds mistakes in a file with the project's configuration. Pure, and never raises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ttsr_ls.lint.catalogue import entry_of
from ttsr_ls.lint.config.config import config_mistakes
from ttsr_ls.lint.config.config_table import TABLE, misplaced_table, table_of
from ttsr_ls.lint.config.table_reader import ConfigMistake, ConfigPath
from ttsr_ls.lint.finding import Edit, Finding, Fix
from ttsr_ls.lint.limit_findings import limit_findings
from ttsr_ls.syntax.toml.toml_document import TomlError, read_toml_text
from ttsr_ls.syntax.toml.toml_parser import parse_toml
from ttsr_ls.syntax.toml.toml_tree import TomlNode, TomlPath, TomlTree
from ttsr_ls.text import Span

_CODE = "invalid-configuration"


def check_configuration(text: str, *, is_shared: bool = False) -> tuple[Finding, ...]:
    """All findings in order of the text. `is_shared`: other tools have tables in the file."""
    tree = parse_toml(text)
    root: TomlPath = TABLE if is_shared else ()
    table = table_of(tree.data, root)
    misplaced = misplaced_table(tree.data, is_shared=is_shared)
    if is_shared and table is None and misplaced is None:
        return ()  # Other tools complain of a file that has nothing of ours.
    findings = [*_syntax(text, tree)]
    if misplaced is not None:
        findings.append(_misplaced(text, tree, *misplaced))
    elif isinstance(table, Mapping):
        place = "[tool.ttsr-ls]" if is_shared else "the configuration"
        findings += [
            _found(text, tree, root, mistake)
            for mistake in config_mistakes(table, place)
            if _counts(tree, root, mistake)
        ]
    elif table is not None:
        message = "[tool.ttsr-ls] is no table; write [tool.ttsr-ls] and its keys below."
        findings.append(_finding(message, _span(tree, root)))
    return limit_findings(sorted(findings, key=lambda finding: (finding.span, finding.message)))


def missing_folder(name: str, path: str, span: Span) -> Finding:
    """The finding of a folder in `rule-folders` that is not there."""
    return _finding(f"`rule-folders` names `{name}`, but there is no folder {path}.", span)


def _syntax(text: str, tree: TomlTree) -> Iterator[Finding]:
    """The first thing that makes the text no TOML, so that none of it counts."""
    bom_length = len(text) - len(text.removeprefix("\ufeff"))
    try:
        read_toml_text(text[bom_length:])
    except TomlError as error:
        if tree.unclosed is not None:
            label = text[tree.unclosed.start : tree.unclosed.end]
            message = (
                f"This {'quote' if label[0] in _QUOTES else 'bracket'} is not closed, so nothing in this file counts."
            )
            yield _finding(message, tree.unclosed, tuple(_closing(text, tree, label)))
        else:
            span = _syntax_span(text, tree, min(error.offset + bom_length, len(text)))
            yield _finding(f"This is not TOML, so nothing in this file counts: {error.reason}.", span)


def _syntax_span(text: str, tree: TomlTree, offset: int) -> Span:
    """The key of what ends at an offset, which is given twice; else the rest of the line."""
    toml_node = next(
        (node for node in tree.nodes if node.value is not None and node.value.end == offset > node.value.start), None
    )
    if toml_node is not None and text[offset : offset + 1] in ("", "\r", "\n"):
        return toml_node.key
    end = text.find("\n", offset)
    return Span(offset, len(text) if end < 0 else end)


_QUOTES = "\"'"
_CLOSING = {"[": "]", "{": "}"}


def _misplaced(text: str, tree: TomlTree, path: TomlPath, message: str) -> Finding:
    """Our table under another name, or one that there need not be."""
    message = f"{message[0].upper()}{message[1:]}."
    node = tree.find(path)
    if node is None:
        return _finding(message, Span(0, 0))
    name = f"[{'.'.join(TABLE)}]"
    if path == TABLE:
        start = text.rfind("\n", 0, node.key.start) + 1
        header = f"{name}\n"
        fixes = (_fix(f"Remove {name}", Edit(Span(start, start + len(header)), "")),)
        return _finding(message, node.key, fixes if text.startswith(header, start) else ())
    return _finding(message, node.key, (_fix(f"Write {name}", Edit(node.key, TABLE[1])),))


def _closing(text: str, tree: TomlTree, opener: str) -> Iterator[Fix]:
    """Closes a bracket or quote at the end of its value, where that makes the text TOML again."""
    start = 0 if tree.unclosed is None else tree.unclosed.start
    ends = [node.value.end for node in tree.nodes if node.value is not None and node.value.start == start]
    closer = _CLOSING.get(opener, opener)
    for end in dict.fromkeys((*_line_end(text, start), *ends)):
        try:
            read_toml_text(f"{text[:end]}{closer}{text[end:]}".removeprefix("\ufeff"))
        except TomlError:
            continue
        label = "quote" if opener[0] in _QUOTES else "bracket"
        yield _fix(f"Close the {label}", Edit(Span(end, end), closer))
        return


def _line_end(text: str, start: int) -> Iterator[int]:
    end = text.find("\n", start)
    yield len(text[: len(text) if end < 0 else end].rstrip())


def _counts(tree: TomlTree, root: TomlPath, mistake: ConfigMistake) -> bool:
    """A key whose value is not finished is not missing."""
    return mistake.missing is None or tree.find((*root, *mistake.path, mistake.missing.name)) is None


def _found(text: str, tree: TomlTree, root: TomlPath, mistake: ConfigMistake) -> Finding:
    span = _span(tree, (*root, *mistake.path), is_about_key=mistake.is_about_key)
    message = mistake.message[0].upper() + mistake.message[1:]
    fixes: tuple[Fix, ...] = ()
    if mistake.meant is not None:
        source = text[span.start : span.end]
        quote = source[:1] if source[:1] in _QUOTES else ""
        fixes = (_fix(f"Write {mistake.meant}", Edit(span, f"{quote}{mistake.meant}{quote}")),)
    elif mistake.needs_list:
        fixes = (
            _fix("Put it in brackets", Edit(Span(span.start, span.start), "["), Edit(Span(span.end, span.end), "]")),
        )
    return _finding(message if message.endswith(("?", "]", "}")) else f"{message}.", span, fixes)


def _span(tree: TomlTree, path: ConfigPath, *, is_about_key: bool = False) -> Span:
    """The place of a key or value; of one that the text does not have, that of what it would be in."""
    node: TomlNode | None = None
    while path and node is None:
        node = tree.find(path)
        path = path[:-1]
    if node is None:
        return Span(0, 0)
    return node.key if is_about_key else node.span


def _fix(title: str, *edits: Edit) -> Fix:
    return Fix(title, edits, entry_of(_CODE).fix_safety)


def _finding(message: str, span: Span, fixes: tuple[Fix, ...] = ()) -> Finding:
    return Finding(_CODE, entry_of(_CODE).severity, message, span, fixes)
