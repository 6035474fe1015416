"""What is shown within the text of a rule."""

from __future__ import annotations

import pytest

from ttsr_ls.ide.explain.values import FileList
from ttsr_ls.ide.inlay_hints import rule_hints
from ttsr_ls.lint.context import LintContext, NamedRule
from ttsr_ls.rules.settings.settings import Settings
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.text import Span

FILES = FileList(("a.ts", "src/b.ts", "src/c.py", "README.md"))


def shown(text: str, path: str = "/p/.omp/rules/a.md", context: LintContext | None = None) -> list[tuple[int, str]]:
    """The lines of the hints, and their labels."""
    file = read_rule(text, name="a", path=path)
    hints = rule_hints(file, context or LintContext(), lambda: FILES, Span(0, len(text)))
    return [(text.count("\n", 0, hint.offset), hint.label) for hint in hints]


@pytest.mark.parametrize(
    ("frontmatter", "label"),
    [
        ("condition: x", "ttsr: text, all tools · 4 of 4 files"),
        ("condition: x\nscope: text, thinking", "ttsr: text, thinking"),
        ("condition: x\nscope: tool:edit(*.ts), tool:write(*.ts)", "ttsr: edit, write · 2 of 4 files"),
        ("condition: x\nscope: tool:bash", "ttsr: bash"),
        ("condition: x\nglobs: ['src/**']", "ttsr: text, all tools · 2 of 4 files"),
        ("condition: x\nagents: [sub]", "ttsr: text, all tools · 4 of 4 files · agents sub"),
        ("alwaysApply: true", "always: in every prompt"),
        ("description: y", "rulebook: listed by its description"),
        ("globs: ['*.ts']", "dropped: no effect"),
        ("condition: x\nenabled: false", "disabled"),
        ("condition: '(x'\ndescription: y", "rulebook: listed by its description"),
    ],
)
def test_the_first_hint_shows_the_bucket_and_the_files(frontmatter: str, label: str) -> None:
    assert shown(f"---\n{frontmatter}\n---\nbody\n")[0] == (0, label)


def test_a_file_count_of_an_incomplete_list_has_a_plus() -> None:
    file = read_rule("---\ncondition: x\nglobs: ['*.ts']\n---\nbody\n", name="a", path="/p/.omp/rules/a.md")
    files = FileList([f"src/{number}.{'ts' if number % 2 else 'py'}" for number in range(4000)], is_complete=False)
    first, *_ = rule_hints(file, LintContext(), lambda: files, Span(0, 100))
    assert first.label == "ttsr: text, all tools · 2,000+ of 4,000+ files"


def test_the_flags_in_force_stand_behind_each_condition() -> None:
    text = "---\ncondition:\n  - '(?im)x'\n  - y\n  - '(?s)z'\n  - '(?i)(broken'\n---\nbody\n"
    assert shown(text)[1:] == [(2, "flags i, m"), (4, "flags s")]


def test_an_ast_condition_shows_its_languages() -> None:
    text = "---\nastCondition: f($A)\nscope: tool:edit(*.{ts,py})\n---\nbody\n"
    assert shown(text)[1:] == [(1, "in Python, TypeScript")]
    assert shown("---\nastCondition: f($A)\n---\nbody\n")[1:] == [(1, "in any language")]
    assert shown(text.replace("{ts,py}", "scss"))[1:] == [(1, "in no language")]


def test_settings_and_shadowing_change_the_bucket_hint() -> None:
    text = "---\ncondition: x\n---\nbody\n"
    off = LintContext(settings=Settings(disabled_rules=("a",)))
    assert shown(text, context=off) == [(0, "dropped: no effect")]
    shadowed = LintContext(load_order=(NamedRule("a", "/p/.cursor/rules/a.mdc"),))
    assert shown(text, context=shadowed) == [(0, "shadowed by /p/.cursor/rules/a.mdc")]


def test_hints_of_a_rule_of_pi_ttsr() -> None:
    text = "---\ntrigger: x\nflags: gi\nscope: chunk\n---\nbody\n"
    assert shown(text, "/p/.pi/rules/a.md") == [(0, "ttsr: text, chunk"), (1, "flags g, i")]
    never = "---\ntrigger: x\nmaxFirings: 0\n---\nbody\n"
    assert shown(never, "/p/.pi/rules/a.md") == [(0, "dropped: no effect")]


def test_files_of_other_dialects_have_no_hints() -> None:
    assert shown("# no frontmatter\n") == []
    assert (
        shown("---\nname: a\nenabled: true\nevent: bash\npattern: a+\n---\nx\n", "/p/.claude/hookify.a.local.md") == []
    )


def test_only_hints_in_the_requested_range_are_returned() -> None:
    text = "---\ncondition: '(?i)x'\n---\nbody\n"
    file = read_rule(text, name="a", path="/p/.omp/rules/a.md")
    assert [hint.label for hint in rule_hints(file, LintContext(), FileList, Span(10, 30))] == ["flags i"]
