"""New rules have no findings but about what is left to write, and no name that does harm."""

from __future__ import annotations

import re

import pytest

from ttsr_ls.errors import UsageError
from ttsr_ls.ide.completion.complete import complete_rule
from ttsr_ls.ide.completion.plain_snippet import snippet_as_text
from ttsr_ls.ide.scaffold import SCAFFOLDS, Scaffold, new_rule, rule_snippet, scaffold_for
from ttsr_ls.ide.template_language import template_language
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.engine import check_file
from ttsr_ls.rules.providers import BUILTIN_RULES
from ttsr_ls.syntax.dialects.detection import dialect_of
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.text import LineIndex

EACH = pytest.mark.parametrize("scaffold", SCAFFOLDS, ids=lambda scaffold: scaffold.id)


@EACH
@pytest.mark.parametrize("path", ["{folder}/no-any.md", "rules/no-any.md"])
def test_a_new_rule_has_only_the_finding_untouched_template(path: str, scaffold: Scaffold) -> None:
    text = new_rule("no-any", scaffold)
    file = read_rule(text, name="no-any", path=path.format(folder=scaffold.folder))
    context = LintContext(dialect=scaffold.dialect)
    found = check_file(file, context)
    assert {each.code for each in found} == {"untouched-template"}
    left = [text[each.span.start : each.span.end] for each in found]
    assert left[-1].startswith("Say what is wrong")
    has_condition = "what the agent must not write" in text
    assert left[:-1] == (["'what the agent must not write'"] if has_condition else [])
    assert dialect_of(f"{scaffold.folder}/no-any.md", file.frontmatter).id is scaffold.dialect


@pytest.mark.parametrize("name", ["a", "no-any", "no.any", "no_any", "2-spaces", "x" * 80])
def test_valid_names_of_new_rules(name: str) -> None:
    assert new_rule(name, SCAFFOLDS[0])


@pytest.mark.parametrize(
    "name",
    [
        "",
        "..",
        "../x",
        "a/b",
        "a\\b",
        ".hidden",
        "-x",
        "x-",
        "a--b",
        "No-Any",
        "no any",
        "nö",
        "a\n",
        "x" * 81,
        "RULES",
    ],
)
def test_invalid_names_of_new_rules(name: str) -> None:
    with pytest.raises(UsageError, match="not a valid name"):
        new_rule(name, SCAFFOLDS[0])


@pytest.mark.parametrize("name", ["no-any.md", "no-any.mdc"])
def test_suffix_is_no_part_of_the_name(name: str) -> None:
    with pytest.raises(UsageError, match="write 'no-any'"):
        new_rule(name, SCAFFOLDS[0])


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("Foo Bar", "foo-bar"),
        ("Foo Bar.md", "foo-bar"),
        ("a//b.mdc", "a-b"),
        ("no-any.md.md", "no-any"),
        ("x" * 81, "x" * 80),
        ("nö", "no-console-log"),
        ("..", "no-console-log"),
    ],
)
def test_a_proposed_name_is_valid(name: str, near: str) -> None:
    with pytest.raises(UsageError, match=rf"'{near}'$"):
        new_rule(name, SCAFFOLDS[0])


@pytest.mark.parametrize("name", [".md", "nö.md"])
def test_no_name_is_proposed_for_an_unrecognizable_one(name: str) -> None:
    with pytest.raises(UsageError, match=r"has no suffix$"):
        new_rule(name, SCAFFOLDS[0])


def test_name_of_a_rule_that_is_built_in_is_refused() -> None:
    with pytest.raises(UsageError, match="built in"):
        new_rule(min(BUILTIN_RULES), SCAFFOLDS[0])


@EACH
def test_an_empty_file_is_offered_the_same_templates(scaffold: Scaffold) -> None:
    path = f"{scaffold.folder}/no-any.md"
    found = complete_rule(read_rule("", name="no-any", path=path), LineIndex(""), 0)
    assert new_rule("no-any", scaffold) in [snippet_as_text(completion.text) for completion in found]
    assert len(found) == len(
        [each_scaffold for each_scaffold in SCAFFOLDS if each_scaffold.dialect is scaffold.dialect]
    )


@pytest.mark.parametrize("files", [["a.ts", "b.tsx"], ["a.py"], ["a.rs"]])
@EACH
def test_the_snippet_is_the_new_rule_of_the_language(scaffold: Scaffold, files: list[str]) -> None:
    language = template_language(files)
    snippet = rule_snippet("a$b", scaffold, language)
    # Neovim refuses a snippet with any other `$` than that of a placeholder, which ends at the next brace.
    rest = re.sub(r"\\.|\$\{\d+:[^}\\]*(?:\\.[^}\\]*)*\}", "", snippet)
    assert not {"$", "}"} & set(rest)
    path = f"{scaffold.folder}/no-any.md"
    found = complete_rule(read_rule("", name="no-any", path=path), LineIndex(""), 0, lambda: files)
    assert new_rule("no-any", scaffold, language) in [snippet_as_text(completion.text) for completion in found]
    if scaffold.id in ("regex", "ast"):
        assert f"tool:edit({language.glob}), tool:write({language.glob})\n" in new_rule("no-any", scaffold, language)


def test_dialect_without_a_scaffold_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="no scaffold"):
        scaffold_for("cursor")
