"""`explain`: pages of codes and descriptions of rule files, as text for a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import ttsr_ls, write
from tests.cli.terminal_output import shown_on_terminal
from ttsr_ls.cli.printing.markdown_text import render_markdown
from ttsr_ls.cli.printing.terminal import Palette, painted_text
from ttsr_ls.lint.catalogue import CATALOGUE

Capture = pytest.CaptureFixture[str]


def test_without_a_subject_lists_the_codes(project: Path, capsys: Capture) -> None:
    lines = ttsr_ls(capsys, "explain").out.splitlines()
    assert [line.split()[0] for line in lines] == [entry.code for entry in CATALOGUE]


@pytest.mark.parametrize("code", [entry.code for entry in CATALOGUE])
def test_code_is_explained_by_its_page(code: str, project: Path, capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "explain", code)
    assert ran.status == 0
    assert ran.out.startswith(f"{code}\n")
    assert "How to fix it" in ran.out
    assert not any(line.startswith("```") for line in ran.out.splitlines())


def test_unknown_code_suggests_the_near_one(project: Path, capsys: Capture) -> None:
    ran = ttsr_ls(capsys, "explain", "glob-shortand")
    assert ran.status == 2
    assert "'glob-shortand' is neither a finding code nor a rule; did you mean 'glob-shorthand'?" in ran.err


def test_a_rule_is_found_by_its_name(project: Path, capsys: Capture) -> None:
    write(project, {".omp/rules/no-any.md": "---\ncondition: any\n---\nNo.\n"})
    named, by_path = (ttsr_ls(capsys, "explain", name) for name in ("no-any", ".omp/rules/no-any.md"))
    assert (named.status, named.err) == (0, "")
    assert named.out == by_path.out
    for name in ("no-anny", "", "a/b", "nowhere.md"):
        ran = ttsr_ls(capsys, "explain", name)
        assert ran.status == 2
        assert ran.err.startswith(f"ttsr-ls: '{name}' is neither a finding code nor a rule")


def test_folder_is_not_a_rule(project: Path, capsys: Capture) -> None:
    (project / "rules").mkdir()
    ran = ttsr_ls(capsys, "explain", "rules")
    assert (ran.status, ran.out) == (2, "")
    assert "rules" in ran.err


@pytest.mark.parametrize("condition", ["astCondition: 'foo((('", r"condition: 'a\bb'"])
def test_rule_whose_conditions_no_text_matches(condition: str, project: Path, capsys: Capture) -> None:
    write(project, {"rule.md": f"---\n{condition}\nscope: tool:write(*.ts)\n---\nDo it now.\n"})
    assert ttsr_ls(capsys, "explain", "rule.md").out.startswith("rule\n\nNever fires: ")


def test_rule_that_fires(project: Path, capsys: Capture) -> None:
    rule = "---\ncondition: ['(?i)todo', '*.rs']\nscope: text, prose, 'tool:*'\ninterruptMode: never\n---\nDo it now.\n"
    write(project, {"rule.md": rule})
    out = ttsr_ls(capsys, "explain", "rule.md").out
    assert out.startswith("rule\n\nFires: it is matched on the agent's output")
    assert "tool:edit(*.rs)" in out
    assert "`tool:*` means nothing in a scope and is skipped." in out
    assert "Never interrupts" in out
    assert "`(?i)todo`: a regular expression, with `i` (case does not count)." in out
    assert "**" not in out


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("---\nalwaysApply: true\n---\nx\n", "Part of every prompt (`alwaysApply`)."),
        ("---\ndescription: d\ncondition: '('\n---\nx\n", "Listed in the prompt with its description."),
        ("---\ncondition: a\nenabled: false\n---\nx\n", "Switched off by `enabled: false`."),
        (
            "---\ncondition: a\n---\n",
            "Dropped: it does nothing, because the file has no body, so there is nothing to inject.",
        ),
        ("x\n", "Dropped: it does nothing, because it has no condition, AST condition or question."),
    ],
)
def test_rule_that_does_not_fire(text: str, start: str, project: Path, capsys: Capture) -> None:
    write(project, {"rule.md": text})
    lines = ttsr_ls(capsys, "explain", "rule.md").out.splitlines()
    assert lines[2].startswith(start)
    assert not [line for line in lines if "when it fires" in line]


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("# A `b` **c**", "A `b` c"),
        ("`` a`b ``", "`` a`b ``"),
        ("\\*not\\* **`code`**", "*not* `code`"),
        ("```md x.md\n**as is**\n```\nafter", "    x.md\n    **as is**\nafter"),
        ("a\x1bb", "a\\x1bb"),
    ],
)
def test_markdown_for_a_terminal(markdown: str, plain: str) -> None:
    assert render_markdown(markdown, Palette(False)) == plain


@pytest.mark.parametrize(
    ("markdown", "coloured"),
    [("`` a`b ``", "\x1b[36ma`b\x1b[0m"), ("**a `b`**", "\x1b[1ma `b`\x1b[0m"), ("## c", "\x1b[1mc\x1b[0m")],
)
def test_markdown_in_colours(markdown: str, coloured: str) -> None:
    assert painted_text(render_markdown(markdown, Palette(True))) == coloured


@pytest.mark.parametrize(
    ("keys", "start"),
    [
        ("condition: x\nscope: text\nglobs: '*.py'", "Never fires: `globs` demands a file path"),
        ("condition: x\nglobs: '*.py'", "Fires: "),
        (
            "condition: x\nscope: 'tool:'",
            "Dropped: it does nothing, because no token of its scope is valid, so the scope admits nothing.",
        ),
        ("condition: '('", "Dropped: it does nothing, because none of its conditions compiles."),
    ],
)
def test_explain_prints_why_a_rule_does_not_fire(keys: str, start: str, project: Path, capsys: Capture) -> None:
    write(project, {"rule.md": f"---\n{keys}\n---\nSay so.\n"})
    assert ttsr_ls(capsys, "explain", "rule.md").out.startswith(f"rule\n\n{start}")


def test_a_binary_file_is_no_rule(project: Path, capsys: Capture) -> None:
    (project / "program").write_bytes(b"\x7fELF\2\1\1\0\0")
    ran = ttsr_ls(capsys, "explain", "program")
    assert (ran.status, ran.out, ran.err) == (2, "", "ttsr-ls: cannot read program: it is not a text file\n")


@pytest.mark.parametrize(
    "data",
    [
        b"---\ncondition: foo\n---\nA NUL: \0\n",
        b"\xef\xbb\xbf---\ncondition: foo\n---\nA NUL: \0\n",
        "\ufeff---\ncondition: foo\n---\nNo foo.\n".encode("utf-16-le"),
    ],
)
def test_a_rule_with_a_nul_or_of_utf_16_is_explained(data: bytes, project: Path, capsys: Capture) -> None:
    (project / "foo.md").write_bytes(data)
    ran = ttsr_ls(capsys, "explain", "foo.md")
    assert (ran.status, ran.err) == (0, "")
    assert '`foo` "foo"' in ran.out


def test_pages_and_explanations_fit_the_terminal(project: Path) -> None:
    write(project, {"a.md": "---\ncondition: a\nscope: tool:edit(*.ts), tool:write(*.ts), text\n---\nNo.\n"})
    for subject in ("file-glob", "a.md"):
        shown = shown_on_terminal(project, 60, "explain", subject)
        long = [line for line in shown.splitlines() if len(line) > 60]
        assert all("file://" in line for line in long), long
        assert max(map(len, shown.splitlines())) > 50
