"""The context of the cursor in a file with the project's configuration."""

from __future__ import annotations

from msgspec import Struct

from ttsr_ls.lint.config.config_table import TABLE
from ttsr_ls.lint.config.keys import CONFIG_KEYS, OVERRIDE_KEYS, OVERRIDES, SEVERITY, ConfigKey
from ttsr_ls.lint.config.table_reader import ConfigPath
from ttsr_ls.syntax.toml.toml_parser import parse_toml
from ttsr_ls.syntax.toml.toml_tree import TomlNode, TomlPath, TomlTree
from ttsr_ls.text import Span

_BRACES = {"[": "]", "{": "}"}


class ConfigText(Struct, frozen=True):
    """A text with a configuration. `root` is its table, empty if the file has nothing else."""

    text: str
    tree: TomlTree
    root: TomlPath

    def relative_path(self, path: TomlPath) -> ConfigPath | None:
        """Returns a path relative to the table of the configuration; None for a path outside of the table."""
        return path[len(self.root) :] if path[: len(self.root)] == self.root else None


class ConfigKeyContext(Struct, frozen=True):
    """The cursor is at a key, or where a key may be: at `span`, in the table at `path`, whose other keys are
    `other_keys`."""

    path: ConfigPath
    span: Span
    other_keys: frozenset[str]
    has_value: bool
    is_header: bool


class ConfigValueContext(Struct, frozen=True):
    """The cursor is at a value, or where a value may be: at `span`. `path` is that of its key; `in_list` is true for an
    item of a list, whose other items are `other_items`."""

    path: ConfigPath
    span: Span
    in_list: bool
    other_items: frozenset[str]


def read_config_text(text: str, *, is_shared: bool) -> ConfigText:
    """Reads a text. `is_shared`: other tools have tables in the file."""
    return ConfigText(text, parse_toml(text), TABLE if is_shared else ())


def key_of(path: ConfigPath) -> ConfigKey | None:
    """The key at a path; None for a code in the table of severities."""
    match path:
        case (OVERRIDES.name, int(), str() as name):
            return next((key for key in OVERRIDE_KEYS if key.name == name), None)
        case (str() as name,) | (OVERRIDES.name as name, int()):
            return next((key for key in CONFIG_KEYS if key.name == name), None)
    return None


def is_severity(path: ConfigPath) -> bool:
    """Returns whether a path is that of a code in a table of severities."""
    return len(path) > 1 and path[-2] == SEVERITY.name and key_of(path[:-1]) is not None


def config_context(file: ConfigText, offset: int) -> ConfigKeyContext | ConfigValueContext | None:
    """Returns the context at an offset; None outside of the configuration."""
    tree, text = file.tree, file.text
    nodes = [node for node in tree.nodes if node.value is not None and _is_in_value(node, text, offset)]
    if nodes:
        return _context_in_value(file, max(nodes, key=lambda node: len(node.path)), offset)
    at_key = next((node for node in tree.nodes if node.key.start <= offset <= node.key.end), None)
    if at_key is not None:
        return _key_place(file, at_key.path, at_key.key, at_key)
    line = text[max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1 : offset]
    if line.strip(" \t\ufeff"):
        return None
    return _key_place(file, (*tree.table_at(offset), ""), Span(offset, offset), None)


def _is_in_value(node: TomlNode, text: str, offset: int) -> bool:
    value = node.value
    if value is None or not value.start <= offset <= value.end:
        return False
    # A position behind the closing bracket of a list or table is not in it.
    opener, source = text[value.start : value.start + 1], text[value.start : value.end]
    closes = _BRACES.get(opener)
    if closes is not None:
        return value.start < offset and (offset < value.end or not source.endswith(closes))
    return True


def _context_in_value(file: ConfigText, node: TomlNode, offset: int) -> ConfigKeyContext | ConfigValueContext | None:
    value = node.value or node.key
    opener = file.text[value.start : value.start + 1]
    if opener == "{":
        inner = next(
            (
                toml_node
                for toml_node in file.tree.nodes
                if toml_node.path[:-1] == node.path and toml_node.key.start <= offset <= toml_node.key.end
            ),
            None,
        )
        if inner is not None:
            return _key_place(file, inner.path, inner.key, inner)
        before = file.text[value.start : offset].rstrip()
        is_free = before.endswith(("{", ","))
        return _key_place(file, (*node.path, ""), Span(offset, offset), None) if is_free else None
    if opener == "[":
        return _value_place(file, node.path, Span(offset, offset), in_list=True)
    is_item = isinstance(node.path[-1], int)
    return _value_place(file, node.path[:-1] if is_item else node.path, value, in_list=is_item)


def _value_place(file: ConfigText, path: TomlPath, span: Span, *, in_list: bool) -> ConfigValueContext | None:
    inside = file.relative_path(path)
    if not inside:
        return None
    items = (node.key for node in file.tree.nodes if node.path[:-1] == path and isinstance(node.path[-1], int))
    other_items = frozenset(file.text[item.start : item.end].strip("\"'") for item in items if item != span)
    return ConfigValueContext(inside, span, in_list, other_items)


def _key_place(file: ConfigText, path: TomlPath, span: Span, node: TomlNode | None) -> ConfigKeyContext | None:
    # The header of a list's table has the number of the table as its last part.
    table = path[:-2] if path and isinstance(path[-1], int) else path[:-1]
    inside = file.relative_path(table)
    if inside is None:
        return None
    keys = (node.path[len(table)] for node in file.tree.nodes if node.path[: len(table)] == table != node.path)
    own = None if node is None else path[len(table)]
    has_value = node is not None and node.value is not None
    other_keys = frozenset(str(name) for name in keys if name != own)
    return ConfigKeyContext(inside, span, other_keys, has_value, node is not None and node.is_header)
