"""The roles of files by their location: sticky rules, and instructions with `applyTo`."""

from __future__ import annotations

import pytest

from ttsr_ls.syntax.dialects.file_roles import FileRole, role_of, rule_name_of, with_role
from ttsr_ls.syntax.reader import read_rule


@pytest.mark.parametrize(
    ("path", "role", "name"),
    [
        ("/p/.omp/rules/a.md", FileRole.RULE, "a"),
        ("/p/.omp/rules/RULES.md", FileRole.RULE, "RULES"),
        ("/p/.omp/RULES.md", FileRole.STICKY, "RULES@project"),
        ("/home/me/.omp/agent/RULES.md", FileRole.STICKY, "RULES"),
        ("/p/RULES.md", FileRole.RULE, "RULES"),
        ("/p/.github/instructions/a.instructions.md", FileRole.INSTRUCTIONS, "a"),
        ("/p/.github/instructions/x/y/a.instructions.md", FileRole.INSTRUCTIONS, "a"),
        ("/p/.github/instructions/a.md", FileRole.RULE, "a"),
        ("/p/.omp/rules/a.instructions.md", FileRole.RULE, "a.instructions"),
        ("/p/.cursor/rules/a.md.mdc", FileRole.RULE, "a.md"),
        ("/p/.omp/rules/.md", FileRole.RULE, ".md"),
    ],
)
def test_the_role_and_name_of_a_file_follow_its_location(path: str, role: FileRole, name: str) -> None:
    assert (role_of(path), rule_name_of(path)) == (role, name)


@pytest.mark.parametrize(
    ("apply_to", "globs", "always"),
    [
        ("applyTo: '**/*.ts, src/*.js'", ["**/*.ts", "src/*.js"], False),
        ("apply-to: '*.ts'", ["*.ts"], False),
        ("applyTo: ['*.ts', 'a,b', 1]", ["*.ts", "a", "b"], False),
        ("applyTo: '*.{ts,tsx}'", ["*.{ts", "tsx}"], False),
        ("applyTo: ',, *.ts ,'", ["*.ts"], False),
        ("applyTo: '**'", [], True),
        ("applyTo: '*.ts, **/*'", [], True),
        ("applyTo: ['*']", [], True),
        ("applyTo: 1", [], False),
        ("globs: '*.py'", [], False),
        ("alwaysApply: true\napplyTo: '*.ts'", ["*.ts"], False),
    ],
)
def test_instructions_take_their_globs_from_apply_to(apply_to: str, globs: list[str], always: bool) -> None:
    text = f"---\n{apply_to}\ncondition: foo\n---\nx\n"
    file = with_role(read_rule(text, name="a", path="a"), FileRole.INSTRUCTIONS)
    assert [glob.value for glob in file.fields.globs] == globs
    assert file.fields.always_apply is always
    assert all(text[glob.span.start : glob.span.end].strip() == glob.value for glob in file.fields.globs)


@pytest.mark.parametrize(
    ("frontmatter", "description"),
    [
        ("applyTo: '*.ts'", "Instructions of GitHub Copilot for *.ts"),
        ("x: 1", "Instructions of GitHub Copilot without `applyTo`"),
        ("applyTo: '*.ts'\ndescription: Mine", "Mine"),
        ("description: ''", ""),
    ],
)
def test_instructions_have_a_description(frontmatter: str, description: str) -> None:
    file = read_rule(f"---\n{frontmatter}\n---\nx\n", name="a", path="a")
    assert with_role(file, FileRole.INSTRUCTIONS).fields.description == description


def test_apply_to_is_a_known_key_of_instructions() -> None:
    text = "---\napplyTo: '*.ts'\ncondition: foo\n---\nx\n"
    file = read_rule(text, name="a", path="a")
    assert [text[problem.span.start : problem.span.end] for problem in file.problems] == ["applyTo"]
    assert with_role(file, FileRole.INSTRUCTIONS).problems == ()


def test_sticky_rules_are_always_in_the_prompt() -> None:
    file = read_rule("---\nalwaysApply: false\n---\nx\n", name="RULES", path="RULES.md")
    assert with_role(file, FileRole.STICKY).fields.always_apply
    assert with_role(file, FileRole.RULE) is file
