"""The name of a rule as part of the names of its files, and the validity of names."""

from __future__ import annotations

import re
from pathlib import PurePath

from msgspec import Struct

from ttsr_ls.rule_tests.case_file_names import SUFFIXES as CASE_SUFFIXES
from ttsr_ls.syntax.dialects.detection import is_named_for_hookify
from ttsr_ls.syntax.dialects.file_roles import FileRole, role_of
from ttsr_ls.syntax.dialects.locations import COPILOT_INSTRUCTIONS, HOOKIFY_RULES, RULE_SUFFIXES
from ttsr_ls.syntax.yaml.core_schema import resolve
from ttsr_ls.text import truncate

_NAME = re.compile(r"[A-Za-z0-9](?:[\w.-]{0,78}[A-Za-z0-9_])?")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
_TAKEN_ENDS = (*RULE_SUFFIXES, ".test", ".instructions", ".local")


class RuleFileName(Struct, frozen=True):
    """The name of a rule file in three parts; the author chooses only `name`."""

    prefix: str
    name: str
    suffix: str


def rule_file_name(path: str) -> RuleFileName | None:
    """The parts of the name of a rule file; None for one whose name the agent prescribes (`RULES.md`)."""
    name = PurePath(path).name
    prefix = ""
    ends: tuple[str, ...] = RULE_SUFFIXES
    role = role_of(path)
    if role is FileRole.STICKY:
        return None
    if role is FileRole.INSTRUCTIONS:
        ends = COPILOT_INSTRUCTIONS.suffixes
    elif is_named_for_hookify(path):
        prefix, ends = HOOKIFY_RULES.prefix, (*HOOKIFY_RULES.suffixes, *RULE_SUFFIXES)
    suffix = next((end for end in ends if name.endswith(end) and len(name) > len(prefix) + len(end)), "")
    return RuleFileName(name[: len(prefix)], name[len(prefix) : len(name) - len(suffix)], suffix)


def renamed_rule_path(path: str, new: str) -> str | None:
    """The path of the rule file at `path` under a new name; None where the agent prescribes the name."""
    parts = rule_file_name(path)
    return None if parts is None else str(PurePath(path).with_name(f"{parts.prefix}{new}{parts.suffix}"))


def renamed_test_path(path: str, renamed: str) -> str:
    """The new path of the test file at `path`, after its rule file was renamed to `renamed`."""
    suffix = next(suffix for suffix in CASE_SUFFIXES if path.endswith(suffix))
    stem = PurePath(renamed).name
    stem = next((stem.removesuffix(end) for end in RULE_SUFFIXES if stem.endswith(end)), stem)
    return str(PurePath(path).with_name(f"{stem}{suffix}"))


def name_problem(name: str) -> str | None:
    """Returns why a name is not valid for a rule, in full sentences; None for a valid name."""
    display = truncate(name, 40)
    if not _NAME.fullmatch(name) or not name.isascii():
        return (
            f"'{display}' cannot be the name of a rule. Write letters, digits, '-', '_', and '.', with a letter or a "
            "digit first; at most 80 characters."
        )
    if name.lower().endswith(_TAKEN_ENDS):
        return f"'{display}' ends with the suffix of a file. Write the name of the rule without a suffix."
    if _DEVICE.fullmatch(name):
        return (
            f"'{display}' is the name of a device on Windows, so no file can be called so there. Choose another name."
        )
    if not isinstance(resolve(name), str):
        return f"YAML does not read '{display}' as a text, so settings could not name the rule. Use another name."
    return None
