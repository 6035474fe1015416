"""Reads and writes the rule-file cases in `cases/`.

A case file is a readable document. A section `## name` is one case; in it, lines that begin with `|` are the text of a
rule file, and the lines below them that begin with `>` are what `check` finds there:

    ## a digit class in double quotes

    .omp/rules/no-digits.md
    | ---
    | condition: "\\d+"
    >            ^^^^^ error illegal-escape
    >            What happens at run time, in full.
    >            fix (safe): Use single quotes
    >            | condition: '\\d+'
    | ---
    | No digits, please.

A line that is neither belongs to the reader: titles, prose, and the path of the rule file (a single word that ends in
`.md` or `.mdc`) or of a file of settings (`.yml`, `.json` or `.toml`), which begins a new file of the same case. All
files of a case are loaded together, in their order.
`pytest tests/lint/test_cases.py --update` writes the `>` lines anew.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from ttsr_ls.lint.case_files.case_file_check import NoRuleFile, check_case_file
from ttsr_ls.lint.config.config_check import check_configuration
from ttsr_ls.lint.config.settings_check import check_settings, replaced_lists
from ttsr_ls.lint.context import LintContext, NamedRule
from ttsr_ls.lint.engine import check_file
from ttsr_ls.lint.finding import Finding, Fix
from ttsr_ls.matching.ast.ast_grep import shape_of
from ttsr_ls.matching.ast.search import PatternShape
from ttsr_ls.rule_tests.case_file_names import is_case_file, rule_stem
from ttsr_ls.rules.providers import Level
from ttsr_ls.rules.registration import register
from ttsr_ls.rules.rule import Rule
from ttsr_ls.rules.settings.layers import SettingsLayer, SettingsLayers
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.settings_file import read_settings
from ttsr_ls.syntax.settings_locations import SettingsFormat, settings_format_of
from ttsr_ls.text import Encoding, LineIndex

CASES = Path(__file__).parent / "cases"
DEFAULT_PATH = ".omp/rules/rule.md"
_PATH = re.compile(r"\S+\.(?:mdc?|MD|ya?ml|json|toml)")


@dataclass
class CaseText:
    """One rule file of a case; `first_line` is where its text begins in the document."""

    path: str
    first_line: int
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)


@dataclass
class Case:
    name: str
    texts: list[CaseText] = field(default_factory=list)


def read_cases(document: str) -> list[Case]:
    cases: list[Case] = []
    path: str | None = None
    current: CaseText | None = None
    for number, line in enumerate(document.splitlines()):
        if line.startswith("## "):
            cases.append(Case(line.removeprefix("## ")))
            path = current = None
        elif line.startswith("|") and cases:
            if current is None:
                current = CaseText(path or DEFAULT_PATH, number)
                cases[-1].texts.append(current)
            current.lines.append(line[2:])
        elif not line.startswith(">") and cases:
            current = None
            path = line.strip() if _PATH.fullmatch(line.strip()) else path
    return cases


def findings_of(texts: list[tuple[str, str]]) -> list[tuple[Finding, ...]]:
    """What is found in files (path and text) that are loaded together, in their order.

    Those with a suffix of settings are settings: of the user below `~`, else of the project; later ones count more.
    """
    order = tuple(
        NamedRule(name_of(path), path)
        for path, _ in texts
        if format_of(path) is None and not is_case_file(path) and not path.endswith(".toml")
    )
    layers = [
        SettingsLayer(read_settings(text, path, written), Level.USER if path.startswith("~") else Level.PROJECT)
        for path, text in texts
        if (written := format_of(path)) is not None
    ]
    projects = SettingsLayers(tuple(layer for layer in layers if layer.level is Level.PROJECT))
    context = LintContext(
        load_order=order, layers=projects, settings=projects.settings(), patterns=ShapesOfKnownPatterns()
    )
    replaced = replaced_lists(SettingsLayers(tuple(layers)))
    found = []
    for path, text in texts:
        if path.endswith(".toml"):
            found.append(check_configuration(text, is_shared=path == "pyproject.toml"))
            continue
        if is_case_file(path):
            found.append(check_case_file(text, rule_beside(path, texts)))
            continue
        layer = next((layer for layer in layers if layer.file.path == path), None)
        if layer is None:
            found.append(check_file(read_rule(text, name=name_of(path), path=path), context))
        else:
            more = tuple(finding for file, finding in replaced if file is layer.file)
            found.append((*check_settings(layer.file), *more))
    return found


def rule_beside(path: str, texts: list[tuple[str, str]]) -> Rule | NoRuleFile | None:
    rules = {other.removesuffix(".md"): content for other, content in texts}
    if rule_stem(path) not in rules:
        return NoRuleFile()
    content = rules[rule_stem(path)]
    return register(read_rule(content, name=name_of(rule_stem(path)), path="r.md"), "native").rule


class ShapesOfKnownPatterns:
    """Parses in this process, which only is for patterns that are known to do no harm."""

    def shape(self, pattern: str, language: str) -> PatternShape:
        return shape_of(pattern, language) if len(pattern) < 200 else PatternShape.UNKNOWN


def format_of(path: str) -> SettingsFormat | None:
    """How the file of settings at a path is written; None for a rule file."""
    return settings_format_of(path.replace("~", "/home"))


def name_of(path: str) -> str:
    return Path(path).stem


def render(document: str) -> str:
    """The document with its `>` lines as they are today."""
    notes: dict[int, list[str]] = {}
    for case in read_cases(document):
        found = findings_of([(text.path, text.text) for text in case.texts])
        for text, findings in zip(case.texts, found, strict=True):
            for line, finding_lines in _notes(text.text, findings):
                notes.setdefault(_document_line(document, text, line), []).extend(finding_lines)
    rendered: list[str] = []
    for number, written in enumerate(document.splitlines()):
        if not written.startswith(">"):
            rendered.append(written)
            rendered += notes.get(number, [])
    return "\n".join(rendered) + "\n"


def _document_line(document: str, text: CaseText, line: int) -> int:
    """The line of the document that holds a line of a rule file; past the end, its last."""
    wanted = min(line, len(text.lines) - 1)
    lines = document.splitlines()
    number = text.first_line
    seen = -1
    while True:
        if lines[number].startswith("|"):
            seen += 1
            if seen == wanted:
                return number
        number += 1


def _notes(text: str, findings: tuple[Finding, ...]) -> list[tuple[int, list[str]]]:
    index = LineIndex(text)
    return [(index.position(finding.span.start).line, _note(index, finding)) for finding in findings]


def _note(index: LineIndex, finding: Finding) -> list[str]:
    start = index.position(finding.span.start, Encoding.UTF32)
    end = index.position(finding.span.end, Encoding.UTF32)
    width = (
        end.character - start.character
        if end.line == start.line
        else len(index.line_span(start.line)) - start.character
    )
    marks = "^" * max(width, 1) + (f" to {end.line + 1}:{end.character + 1}" if end.line != start.line else "")
    pad = "> " + " " * start.character
    lines = [f"{pad}{marks} {finding.severity} {finding.code}", f"{pad}{finding.message}"]
    for related in finding.related:
        places = [] if related.path is None else [related.path]
        if (related_index := related.index(index)) is not None:
            place = related_index.position(related.span.start, Encoding.UTF32)
            places.append(f"{place.line + 1}:{place.character + 1}")
        lines.append(f"{pad}see {':'.join(places)}: {related.message}")
    for fix in finding.fixes:
        lines.append(f"{pad}fix ({fix.safety}): {fix.title}")
        lines += [f"{pad}| {line}" for line in _changed_lines(index.text, fix)]
    return [line.rstrip() for line in lines]


def _changed_lines(text: str, fix: Fix) -> list[str]:
    before, after = text.splitlines(), apply(text, fix).splitlines()
    while before and after and before[0] == after[0]:
        before, after = before[1:], after[1:]
    while before and after and before[-1] == after[-1]:
        before, after = before[:-1], after[:-1]
    return after or [f"(without {len(before)} {'line' if len(before) == 1 else 'lines'})"]


def apply(text: str, fix: Fix) -> str:
    for edit in sorted(fix.edits, key=lambda edit: edit.span, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text
