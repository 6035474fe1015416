"""Completes the stream of a case: chooses one that the rule's scope admits, if there is one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from ttsr_ls.rule_tests.body_examples import BodyExample, body_examples
from ttsr_ls.rule_tests.case import CaseOrigin, RuleTestCase
from ttsr_ls.rule_tests.sample_path import sample_path
from ttsr_ls.rules.path_glob import path_globs
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.stream import Payload, Source, StreamContext
from ttsr_ls.rules.tool_paths import path_candidates
from ttsr_ls.syntax.scope.tool_names import PATHLESS_TOOLS

DEFAULT_TOOL = "edit"
_FOLDER = PurePosixPath("/project")
"""The folder in which the agent of a case runs. A test must not depend on where it is."""
_SUFFIXES = {
    "bash": "sh", "c#": "cs", "c++": "cpp", "csharp": "cs", "golang": "go", "javascript": "js", "kotlin": "kt",
    "markdown": "md", "python": "py", "ruby": "rb", "rust": "rs", "shell": "sh", "typescript": "ts", "yaml": "yml",
}  # fmt: skip
_SHELL = "bash"


def stream_of(case: RuleTestCase, rule: Rule) -> StreamContext:
    """Returns the stream of a case: the one that it specifies, or else one that the rule's scope admits."""
    spec = case.stream
    if spec.is_open:
        return _admitted_stream(rule, _SUFFIXES.get(case.language, case.language))
    if spec.source in (Source.TEXT, Source.THINKING):
        return StreamContext(spec.source)
    tool = spec.tool or DEFAULT_TOOL
    path = spec.path
    if path is None:
        path = next((each for name, each in _files(rule, "") if name in (None, tool)), None)
    return _call(tool, path)


def examples_of(rule: Rule) -> tuple[BodyExample, ...]:
    """Returns the examples in a rule's body. Unmarked examples are included only if the scope has their language."""
    return tuple(each for each in body_examples(rule.body) if each.is_marked or _is_in_scope(each.case, rule))


def _is_in_scope(case: RuleTestCase, rule: Rule) -> bool:
    suffix = _SUFFIXES.get(case.language, case.language)
    if not suffix.isalnum() or not case.stream.is_open:
        return True
    paths = [PurePosixPath(path) for _, path in _files(rule, suffix) if path is not None]
    # A scope without files is for prose or commands, and the glob of a single file implies no language.
    return not paths or any(path.suffix == f".{suffix}" or path.stem not in ("file", "example") for path in paths)


def deltas_of(case: RuleTestCase, context: StreamContext) -> tuple[str, ...]:
    """Returns the deltas in which the text is streamed. A command in a rule's body becomes the arguments of a call."""
    if case.origin is CaseOrigin.BODY and context.tool_name == _SHELL:
        return (json.dumps({"command": case.text.rstrip("\n")}, ensure_ascii=False),)
    return case.deltas


def _admitted_stream(rule: Rule, suffix: str) -> StreamContext:
    """Returns a stream that the scope and the globs admit, preferably one for the language of the example."""
    prose = [StreamContext(each) for each in (Source.TEXT, Source.THINKING) if rule.scope.admits_source(each)]
    if rule.globs or (rule.ast_conditions and not rule.conditions):
        prose = []
    calls = [_call(tool or DEFAULT_TOOL, path) for tool, path in _files(rule, suffix)]
    found = [*calls, *prose] if suffix else [*prose, *calls]
    return next((each for each in found if rule.scope.admits(each)), found[0] if found else _call(DEFAULT_TOOL, None))


def _files(rule: Rule, suffix: str) -> Iterator[tuple[str | None, str | None]]:
    """Yields the tools of the scope, each with a path that its glob and those of the rule match."""
    scopes = [(scope.tool, scope.glob.pattern if scope.glob is not None else None) for scope in rule.scope.tools]
    if rule.scope.any_tool:
        scopes.append((None, None))
    for tool, glob in scopes:
        named = f"example.{suffix}"
        if suffix.isalnum() and _is_matched(named, () if glob is None else (glob,)) and _is_matched(named, rule.globs):
            yield tool, named
        yield tool, sample_path(glob, rule.globs)


def _is_matched(path: str, patterns: Sequence[str]) -> bool:
    globs = path_globs(patterns)
    return not globs or any(glob.matches_any([path]) for glob in globs)


def _call(tool: str, path: str | None) -> StreamContext:
    has_path = path is not None and _key(tool) not in PATHLESS_TOOLS
    paths = path_candidates(path, _FOLDER) if path is not None and has_path else ()
    return StreamContext(Source.TOOL, tool, paths, "toolcall:rule-test", Payload.WRITTEN)


def _key(tool: str | None) -> str:
    return (tool or "").strip().lower()
