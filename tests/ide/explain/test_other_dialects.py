"""Hover and completion in files of other dialects speak of the keys of those."""

from __future__ import annotations

import pytest

from ttsr_ls.ide.completion.complete import complete_rule
from ttsr_ls.ide.explain.hover import hover_rule
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.text import LineIndex

PI = ".pi/rules/a.md"


def said(path: str, text: str, at: str) -> str | None:
    hover = hover_rule(read_rule(text, name="a", path=path), text.index(at))
    return None if hover is None else hover.markdown


def offered(path: str, text: str) -> list[str]:
    """What is offered at the mark `|`."""
    offset = text.index("|")
    text = text.replace("|", "", 1)
    found = complete_rule(read_rule(text, name="a", path=path), LineIndex(text), offset)
    return [completion.label for completion in found]


@pytest.mark.parametrize(
    ("path", "key", "words"),
    [
        (PI, "scope", "How much of the agent's text"),
        (".omp/rules/a.md", "scope", "streams on which"),
        (".windsurf/rules/a.md", "trigger", "When the rule is in the prompt"),
        (PI, "trigger", "that the rule waits for"),
        (".claude/hookify.a.local.md", "event", "What the rule looks at"),
    ],
)
def test_hover_of_a_key_depends_on_the_dialect(path: str, key: str, words: str) -> None:
    found = said(path, f"---\n{key}: x\n---\nno\n", key)
    assert found is not None
    assert words in found


def test_no_hover_of_a_key_of_another_dialect() -> None:
    assert said(PI, "---\ncondition: x\n---\nno\n", "condition") is None
    assert said(PI, "---\ncondition: x\n---\nno\n", "x") is None


def test_a_trigger_is_explained_under_its_flags() -> None:
    found = said(PI, "---\ntrigger: '\\d+'\nflags: i\n---\nno\n", "\\d")
    assert found is not None
    assert "case does not count" in found
    assert said(PI, "---\ntrigger: 'a('\nflags: q\n---\nno\n", "a(") is not None


@pytest.mark.parametrize(
    ("frontmatter", "at", "words"),
    [
        ("trigger: foo", "foo", "**Fires** once in a session"),
        ("trigger: foo\nscope: chunk", "chunk", "each chunk is tried by itself"),
        ("trigger: foo\nflags: i", "i\n---", "case does not count"),
        ("trigger: foo\nmaxFirings: 3", "3", "**Fires** up to 3 times in a session, and"),
        ("trigger: foo\nmaxFirings: 2.5\ncooldown: 60", "60", "up to 3 times in a session, at least 60 s apart"),
        ("trigger: foo\nmaxFirings: 0", "0", "**Never fires**"),
    ],
)
def test_hover_of_pi_values_explains_the_rule(frontmatter: str, at: str, words: str) -> None:
    found = said(PI, f"---\n{frontmatter}\n---\nno\n", at)
    assert found is not None
    assert words in found


def test_the_old_key_of_omp_is_still_explained() -> None:
    assert said("a.md", "---\nttsr_trigger: x\n---\nno\n", "ttsr") is not None


def test_keys_and_values_are_those_of_the_dialect() -> None:
    assert offered(PI, "---\ntrigger: x\n|\n---\nno\n") == ["flags", "scope", "maxFirings", "cooldown"]
    assert offered(PI, "---\nscope: |\n---\nno\n") == ["line", "chunk", "accumulated"]
    assert offered(".cursor/rules/a.mdc", "---\n|\n---\nno\n") == ["description", "globs", "alwaysApply"]
    assert "scope" in offered("a.md", "---\nttsr_trigger: x\n|\n---\nno\n")
