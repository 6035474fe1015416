"""Reads rule files together with their test files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from ttsr_ls.rule_tests.case import CaseFile, RuleTestCase
from ttsr_ls.rule_tests.case_file import read_case_file
from ttsr_ls.rule_tests.case_file_names import is_case_file, rule_stem
from ttsr_ls.rule_tests.stream_choice import examples_of
from ttsr_ls.rules.rule import Rule
from ttsr_ls.store.case_file_paths import case_file_of, name_of_rule_file, rule_file_of
from ttsr_ls.store.discovery.loaded_rule import LoadedRule
from ttsr_ls.store.discovery.local_rules import OpenTexts, load_rule
from ttsr_ls.store.files.bounded_file import RuleUnreadableError, read_file
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Encoding, LineIndex

_PROVIDER = "ttsr-cli"


class LoadedCaseFile(Struct, frozen=True):
    """A test file that was read."""

    path: Path
    text: str
    read: CaseFile


class RuleWithTests(Struct, frozen=True):
    """A rule with its tests: those of the file beside it, and the examples in its body.

    `rule` is None if it cannot be tested; `reason` is the reason. `path` is None for a test file without a rule.
    """

    name: str
    path: Path | None
    text: str
    rule: Rule | None
    reason: str | None
    file: LoadedCaseFile | None
    examples: tuple[RuleTestCase, ...]
    example_lines: tuple[int, ...]
    """The lines of the rule file, counted from 0, on which the examples begin."""
    unreadable: str | None = None
    """Why the rule or its test file cannot be read, with the path."""

    @property
    def cases(self) -> tuple[RuleTestCase, ...]:
        """All cases, those of the file first."""
        return (*(() if self.file is None else self.file.read.cases), *self.examples)


def rules_with_tests(paths: Iterable[Path], texts: OpenTexts | None = None) -> tuple[RuleWithTests, ...]:
    """Returns the distinct rules of rule files and test files, in their order. A file that cannot be read has a reason.

    `texts` are the open texts of an editor.
    """
    open_texts = OpenTexts() if texts is None else texts
    rules: dict[Path, RuleWithTests] = {}
    for path in paths:
        rule = rule_file_of(path) if is_case_file(path.name) else path
        key = (path if rule is None else rule).absolute()
        if key not in rules:
            rules[key] = _without_rule(path, open_texts) if rule is None else _tested(rule, open_texts)
    return tuple(rules.values())


def _without_rule(path: Path, texts: OpenTexts) -> RuleWithTests:
    name = Path(rule_stem(path.name)).name
    reason = f"there is no rule file {name}.md beside {path.name}"
    try:
        file = _loaded(path, texts)
    except RuleUnreadableError as error:
        return RuleWithTests(name, None, "", None, str(error), None, (), (), str(error))
    return RuleWithTests(name, None, "", None, reason, file, (), ())


def _tested(path: Path, texts: OpenTexts) -> RuleWithTests:
    file_path = case_file_of(path)
    name = name_of_rule_file(path)
    try:
        file = None if file_path is None else _loaded(file_path, texts)
        loaded_rule = load_rule(path, _PROVIDER, texts=texts)
        text = _text_of(path, texts)
    except RuleUnreadableError as error:
        return RuleWithTests(name, path, "", None, str(error), None, (), (), str(error))
    rule, reason = loaded_rule.rule, None
    if rule is None or not (rule.conditions or rule.ast_conditions):
        rule, reason = None, "it has no condition that can be tried; 'ttsr-ls check' says why"
    elif rule.question is not None:
        rule, reason = None, "a judge model decides whether it fires"
    examples = () if rule is None else tuple(example.case for example in examples_of(rule))
    lines = _lines(loaded_rule, text, examples) if examples else ()
    return RuleWithTests(name, path, text, rule, reason, file, examples, lines)


def _lines(rule: LoadedRule, text: str, examples: Iterable[RuleTestCase]) -> tuple[int, ...]:
    """Returns the lines of the file on which examples begin. The spans of the examples refer to the body."""
    index = LineIndex(text)
    if isinstance(rule.read, RuleFile):
        body = rule.read.body
        starts = [body.source_span(case.span.start, case.span.end).start for case in examples]
    else:
        first = max(text.rfind(rule.rule.body if rule.rule is not None else ""), 0)
        starts = [first + case.span.start for case in examples]
    return tuple(index.position(start, Encoding.UTF32).line for start in starts)


def _text_of(path: Path, texts: OpenTexts) -> str:
    known = texts.texts.get(str(path.absolute()))
    return read_file(path).decode("utf-8", "replace") if known is None else known


def _loaded(path: Path, texts: OpenTexts) -> LoadedCaseFile:
    text = _text_of(path, texts).removeprefix("\ufeff")
    return LoadedCaseFile(path, text, read_case_file(text))
