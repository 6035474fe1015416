"""Finds conditions that expect a path, in rules that are matched on file content only (spec T1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.message_text import code
from ttsr_ls.lint.regex.conditions import ConditionWithSpan, conditions_with_spans
from ttsr_ls.lint.reporting import report
from ttsr_ls.rules.registration import Registration
from ttsr_ls.rules.rule import Rule
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.syntax.scope.tool_names import PATHLESS_TOOLS
from ttsr_ls.text import Span

_CODE = "path-in-content"
_DECODED = frozenset(("edit", "write"))
# A key of a tool's arguments, as written in JSON.
_KEY = re.compile(
    r'\\?"(?:path|paths|file_?path|filePath|notebook_path|old_?[sS]tring|new_?[sS]tring|content)\\?"'
    r"(?:\\s[*+?]?|\[[^\]]*\][*+?]?| )*:"
)
# Files whose content may contain such keys.
_JSON_FILES = re.compile(r"json|ya?ml|\.md\b|\.har\b|ipynb", re.IGNORECASE)
_AROUND = re.compile(r"^(?:\(\?[ims]+\))?\^?(?:\(\?:|\()?(?:\^\|/|\\/|\^|/)*\)?|\)?\$?$")
# Alternatives of the text's start or end with characters around a path: `(?:^|[\s"])`.
_BEFORE = re.compile(r"^\(\?:\^\|\[[^\]]*\]\)(?:\(\?:\\\./\)\?)?")
_BEHIND = re.compile(r"\(\?:\$\|\[[^\]]*\]\)$")
_ANYTHING = re.compile(r"(?:\.|\[\^[^\]]*\]|\\w|\\S)[*+]\??")
_ESCAPED = re.compile(r"\\([./_-])")
_NAMES = frozenset((
    "package.json", "package-lock.json", "tsconfig.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb",
    "cargo.lock", "cargo.toml", "go.mod", "go.sum", "pyproject.toml", "poetry.lock", "uv.lock", "requirements.txt",
    "gemfile.lock", "composer.lock", "composer.json", "dockerfile", "docker-compose.yml", "docker-compose.yaml",
    "makefile", "readme.md", "changelog.md", "claude.md", "agents.md", "schema.prisma", ".gitignore", ".npmrc",
    ".gitlab-ci.yml",
))  # fmt: skip
_PATH = re.compile(r"(?:[\w.@*-]+/)+[\w.@*-]*\.[A-Za-z][A-Za-z0-9]{0,6}")
_NAME_AT_END = re.compile(r"[\w@*-]*(?:\.[\w-]+)*\.[A-Za-z][A-Za-z0-9]{0,6}")
_EXTENSION = re.compile(r"\*?\.[a-z]{1,6}")
_ENV_FILE = re.compile(r"\benv(?:ironment)? files?\b|\.env(?:\.\w+)?`? files?\b", re.IGNORECASE)
_MAX_ALTERNATIVES = 20
_MAX_LENGTH = 1_000
"""In characters; a longer pattern is not the name of a file."""


def check_paths_in_content(file: RuleFile, registration: Registration, context: LintContext) -> Iterator[Finding]:
    """Reports argument keys and file names in rules that apply to `edit` and `write`, and to no tool with a path in its
    arguments.
    """
    rule = registration.rule
    if rule is None or not _is_on_content(rule):
        return
    beside_globs = bool(file.fields.shorthand_globs) and all(token.inferred for token in file.fields.scope)
    for condition in conditions_with_spans(file, context.limits):
        if condition.is_shorthand or len(condition.condition.pattern.source) > _MAX_LENGTH:
            continue
        if beside_globs and (names := _only_names(condition, is_anchored=True)):
            message = (
                "Beside file globs, a condition is matched on the content of the files that the globs name, so an edit "
                f"of this file does not make the rule fire. Write `{_glob(names)}` as one more glob, and leave no "
                "other condition."
            )
            yield report(_CODE, message, condition.text.span)
            continue
        match = _KEY.search(condition.condition.pattern.source)
        if match is not None and not _is_on_json_files(rule):
            message = (
                f"{_matched_text(rule)}, without the JSON and the path of the call, so {code(match[0], 40)} never "
                "occurs in it. Name the file in the scope, such as `tool:edit(.env)`, and match only the content."
            )
            yield condition.report(file, _CODE, message, Span(*match.span()))
        elif (names := _only_names(condition) or _env_file(file, condition)) and (
            # If globs name files already, a name in the condition is meant for their content, except an extension.
            not (rule.globs or any(tool.glob is not None for tool in rule.scope.tools))
            or all(map(_EXTENSION.fullmatch, names))
        ):
            in_own_rule = " in a rule of its own" if any(tool.tool not in _DECODED for tool in rule.scope.tools) else ""
            message = (
                f"{_matched_text(rule)}, not its path, so this matches only a file name in the content. Write "
                f"`condition: '{_glob(names)}'` without a scope{in_own_rule} for every edit of such files."
            )
            yield report(_CODE, message, condition.text.span)


def _is_on_content(rule: Rule) -> bool:
    """Returns whether a rule applies to `edit` or `write`, and otherwise only to tools without a path argument."""
    scope = rule.scope
    if scope.text or scope.thinking or scope.any_tool:
        return False
    names = {tool.tool for tool in scope.tools}
    return bool(names & _DECODED) and names <= _DECODED | PATHLESS_TOOLS


def _matched_text(rule: Rule) -> str:
    """Returns the beginning of a message, which says what text of `edit` and `write` is matched."""
    other_names = sorted({tool.tool for tool in rule.scope.tools if tool.tool is not None} - _DECODED)
    if not other_names:
        return "Only the text that `edit` and `write` put into the file is matched"
    return f"Unlike for `{other_names[0]}`, only the text that `edit` and `write` put into the file is matched"


def _is_on_json_files(rule: Rule) -> bool:
    globs = [*rule.globs, *(tool.glob for tool in rule.scope.tools if tool.glob is not None)]
    return any(_JSON_FILES.search(str(glob)) for glob in globs)


def _only_names(condition: ConditionWithSpan, *, is_anchored: bool = False) -> list[str]:
    """Returns the file names that a condition consists of, with `*` for any text; none if it has anything else.

    `is_anchored` is true if the condition certainly is no code, as if it ended in `$`.
    """
    source = condition.condition.pattern.source
    is_anchored = is_anchored or source.endswith("$")
    inner = _BEHIND.sub("", _BEFORE.sub("", source))
    inner = _AROUND.sub("", inner)
    alternatives = inner.split("|")
    if not inner or len(alternatives) > _MAX_ALTERNATIVES:
        return []
    names = [_ESCAPED.sub(r"\1", _ANYTHING.sub("*", alternative)) for alternative in alternatives]
    return names if all(_is_file(name, is_anchored=is_anchored) for name in names) else []


def _env_file(file: RuleFile, condition: ConditionWithSpan) -> list[str]:
    """Returns `.env`, which can also be a property of code, if the rule's text mentions such files."""
    is_name = re.fullmatch(r"\\\.env(?:\\b)?", condition.condition.pattern.source) is not None
    return [".env"] if is_name and _ENV_FILE.search(f"{file.fields.description or ''} {file.body.value}") else []


def _is_file(name: str, *, is_anchored: bool) -> bool:
    """Returns whether a text is a file name rather than code: `res.json` may be a call, `res.json$` hardly."""
    return (
        PurePath(name).name.lower() in _NAMES
        or _PATH.fullmatch(name) is not None
        or (is_anchored and _NAME_AT_END.fullmatch(name) is not None)
    )


def _to_glob(name: str) -> str:
    """Returns a glob for a name. An extension becomes all files with it; `.env` and the like are names."""
    is_extension = _EXTENSION.fullmatch(name) is not None and not name.startswith((".env", ".git", ".npm"))
    return f"*{name}" if is_extension and name.startswith(".") else name


def _glob(names: list[str]) -> str:
    globs = [_to_glob(name.lstrip("/").replace("/*.", "/**/*.")) for name in names]
    return f"**/{globs[0]}" if len(globs) == 1 else f"**/{{{','.join(globs)}}}"
