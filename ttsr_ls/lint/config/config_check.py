"""Finds mistakes in a file with the project's configuration. Pure, and never raises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ttsr_ls.lint.config.config import config_mistakes
from ttsr_ls.lint.config.config_table import TABLE, misplaced_table, table_of
from ttsr_ls.lint.config.table_reader import ConfigMistake, ConfigPath
from ttsr_ls.lint.finding import Edit, Finding, Fix
from ttsr_ls.lint.limit_findings import limit_findings
from ttsr_ls.lint.reporting import build_fixes, report
from ttsr_ls.syntax.toml.toml_document import TomlError, read_toml_text
from ttsr_ls.syntax.toml.toml_parser import parse_toml
from ttsr_ls.syntax.toml.toml_tree import TomlNode, TomlPath, TomlTree
from ttsr_ls.text import Span

_CODE = "invalid-configuration"


def check_configuration(text: str, *, is_shared: bool = False) -> tuple[Finding, ...]:
    """Returns all findings in order of the text. `is_shared` is true if other tools have tables in the file."""
    tree = parse_toml(text)
    root: TomlPath = TABLE if is_shared else ()
    table = table_of(tree.data, root)
    misplaced = misplaced_table(tree.data, is_shared=is_shared)
    if is_shared and table is None and misplaced is None:
        return ()  # A shared file without our table is not our concern, even if it is invalid.
    findings = [*_syntax(text, tree)]
    if misplaced is not None:
        findings.append(_misplaced_table_finding(text, tree, *misplaced))
    elif isinstance(table, Mapping):
        place = "[tool.ttsr-ls]" if is_shared else "the configuration"
        findings += [
            _mistake_finding(text, tree, root, mistake)
            for mistake in config_mistakes(table, place)
            if not _is_being_written(tree, root, mistake)
        ]
    elif table is not None:
        message = "[tool.ttsr-ls] is no table, so it is not read. Write [tool.ttsr-ls] and its keys below."
        findings.append(report(_CODE, message, _span(tree, root)))
    return limit_findings(sorted(findings, key=lambda finding: (finding.span, finding.message)))


def missing_folder(name: str, path: str, span: Span) -> Finding:
    """Returns the finding about a missing folder in `rule-folders`."""
    return report(_CODE, f"`rule-folders` names `{name}`, but there is no folder {path}.", span)


def _syntax(text: str, tree: TomlTree) -> Iterator[Finding]:
    """Reports the first syntax error, because of which the whole file is ignored."""
    bom_length = len(text) - len(text.removeprefix("\ufeff"))
    try:
        read_toml_text(text[bom_length:])
    except TomlError as error:
        if tree.unclosed is not None:
            label = text[tree.unclosed.start : tree.unclosed.end]
            kind = "quote" if label[0] in _QUOTES else "bracket"
            message = f"This {kind} is not closed, so the whole file is ignored. Close it."
            yield report(_CODE, message, tree.unclosed, *_closing_fixes(text, tree, label))
        else:
            span = _syntax_span(text, tree, min(error.offset + bom_length, len(text)))
            yield report(_CODE, f"This is not TOML, so the whole file is ignored: {error.reason}.", span)


def _syntax_span(text: str, tree: TomlTree, offset: int) -> Span:
    """Returns the span of an error at an offset: of the key if it is given twice, else of the rest of the line."""
    ended = next(
        (node for node in tree.nodes if node.value is not None and node.value.end == offset > node.value.start), None
    )
    if ended is not None and text[offset : offset + 1] in ("", "\r", "\n"):
        return ended.key
    end = text.find("\n", offset)
    return Span(offset, len(text) if end < 0 else end)


_QUOTES = "\"'"
_CLOSING = {"[": "]", "{": "}"}


def _misplaced_table_finding(text: str, tree: TomlTree, path: TomlPath, message: str) -> Finding:
    """Returns the finding about our table under a wrong name, or about a needless table header."""
    message = f"{message[0].upper()}{message[1:]}."
    node = tree.find(path)
    if node is None:
        return report(_CODE, message, Span(0, 0))
    name = f"[{'.'.join(TABLE)}]"
    if path == TABLE:
        start = text.rfind("\n", 0, node.key.start) + 1
        header = f"{name}\n"
        edit = Edit(Span(start, start + len(header)), "") if text.startswith(header, start) else None
        return report(_CODE, message, node.key, *build_fixes(_CODE, edit, title=f"Remove {name}"))
    fixes = build_fixes(_CODE, Edit(node.key, TABLE[1]), title=f"Write {name}")
    return report(_CODE, message, node.key, *fixes)


def _closing_fixes(text: str, tree: TomlTree, opener: str) -> tuple[Fix, ...]:
    """Returns the fix that closes a bracket or quote at the end of its value, if the text is valid TOML then."""
    start = 0 if tree.unclosed is None else tree.unclosed.start
    ends = [node.value.end for node in tree.nodes if node.value is not None and node.value.start == start]
    closer = _CLOSING.get(opener, opener)
    for end in dict.fromkeys((*_line_end(text, start), *ends)):
        try:
            read_toml_text(f"{text[:end]}{closer}{text[end:]}".removeprefix("\ufeff"))
        except TomlError:
            continue
        label = "quote" if opener[0] in _QUOTES else "bracket"
        return build_fixes(_CODE, Edit(Span(end, end), closer), title=f"Close the {label}")
    return ()


def _line_end(text: str, start: int) -> Iterator[int]:
    end = text.find("\n", start)
    yield len(text[: len(text) if end < 0 else end].rstrip())


def _is_being_written(tree: TomlTree, root: TomlPath, mistake: ConfigMistake) -> bool:
    """Returns whether a missing key is there, but its value is not finished yet."""
    return mistake.missing is not None and tree.find((*root, *mistake.path, mistake.missing.name)) is not None


def _mistake_finding(text: str, tree: TomlTree, root: TomlPath, mistake: ConfigMistake) -> Finding:
    span = _span(tree, (*root, *mistake.path), is_about_key=mistake.is_about_key)
    message = mistake.message[0].upper() + mistake.message[1:]
    fixes: tuple[Fix, ...] = ()
    if mistake.meant is not None:
        source = text[span.start : span.end]
        quote = source[:1] if source[:1] in _QUOTES else ""
        edit = Edit(span, f"{quote}{mistake.meant}{quote}")
        fixes = build_fixes(_CODE, edit, title=f"Write {mistake.meant}")
    elif mistake.needs_list:
        brackets = Edit(Span(span.start, span.start), "["), Edit(Span(span.end, span.end), "]")
        fixes = build_fixes(_CODE, *brackets, title="Put it in brackets")
    return report(_CODE, message if message.endswith(("?", "]", "}")) else f"{message}.", span, *fixes)


def _span(tree: TomlTree, path: ConfigPath, *, is_about_key: bool = False) -> Span:
    """Returns the span of a key or value; that of the innermost existing parent if the text does not have it."""
    node: TomlNode | None = None
    while path and node is None:
        node = tree.find(path)
        path = path[:-1]
    if node is None:
        return Span(0, 0)
    return node.key if is_about_key else node.span
