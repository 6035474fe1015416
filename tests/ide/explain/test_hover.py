"""What is said at which place, and that nothing in a file can shape what is said."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttsr_ls.ide.explain.condition import condition_text
from ttsr_ls.ide.explain.hover import Hover, hover_rule
from ttsr_ls.ide.explain.values import FileList
from ttsr_ls.ide.markdown import inline_code
from ttsr_ls.syntax.keys import KEYS, Key
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.text import Span

TEXT = """\
---
interrupt-mode: never
condition:
  - '(?im)^as any;$'
  - 'a(b'
  - '*.rs'
scope: 'text, thinking, edit(*.{ts,tsx}), toool:'
globs: src/**
frobnicate: 1
---
condition: not this
"""


def at(mark: str, text: str = TEXT) -> tuple[str, str] | None:
    """The text that the hover at a mark is about, and what it says."""
    hover = hover_rule(read_rule(text, name="a", path="a.md"), text.index(mark))
    return (text[hover.span.start : hover.span.end], hover.markdown) if hover is not None else None


@pytest.mark.parametrize(
    ("mark", "about", "says"),
    [
        ("interrupt-mode", "interrupt-mode", "`interruptMode`"),
        ("condition:\n", "condition", "regular expressions"),
        ("as any", "'(?im)^as any;$'", "`i` (case does not count), `m` (`^` and `$` at each line)"),
        ("a(b", "'a(b'", "does not compile"),
        ("a(b", "'a(b'", "for a literal parenthesis. The condition is dropped."),
        ("*.rs", "'*.rs'", "file glob"),
        ("thinking", "thinking", "the agent's thinking"),
        ("edit(", "edit(*.{ts,tsx})", "the tool `edit`, on files that match `*.{ts,tsx}`"),
        ("toool", "toool:", "means nothing"),
        ("never", "never", "The rule never interrupts."),
        ("src/**", "src/**", "a glob of paths"),
    ],
)
def test_hover_of_keys_and_values(mark: str, about: str, says: str) -> None:
    found = at(mark)
    assert found is not None
    assert found[0] == about
    assert says in found[1]


def said_of(key: str, lines: str, body: str = "No.\n") -> str:
    """The hover on the value of a key in a rule with these lines of frontmatter."""
    text = f"---\n{lines}\n---\n{body}"
    hover = hover_rule(read_rule(text, name="a", path=".omp/rules/a.md"), text.index(f"{key}: ") + len(key) + 3)
    assert hover is not None
    return hover.markdown


@pytest.mark.parametrize(
    ("lines", "body", "says"),
    [
        ("description: Be kind\ncondition: 'rude'", "No.\n", "**For people**: the rule has a trigger"),
        ("description: Be kind", "No.\n", "**In the prompt**: the rule has no trigger that works"),
        ("description: Be kind\ncondition: 'a('", "No.\n", "**In the prompt**"),
        ("description: Be kind\nalwaysApply: true", "No.\n", "a part of every prompt"),
        ("description: Be kind\nenabled: false", "No.\n", "switched off"),
        ("description: Be kind\ncondition: 'rude'", "", "it has no body"),
    ],
)
def test_hover_of_a_description_names_its_readers(lines: str, body: str, says: str) -> None:
    assert says in said_of("description", lines, body)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ("", "No condition filters it"),
        ("\ncondition: 'done'", "in which the condition matches"),
        ("\ncondition: ['done', 'ready', 'a(']", "in which one of the 2 conditions matches"),
        ("\nscope: thinking", "**Matched on** the agent's thinking."),
    ],
)
def test_hover_of_a_question_explains_when_it_is_asked(more: str, says: str) -> None:
    assert says in said_of("question", f"question: Is it done?{more}")


@pytest.mark.parametrize("mark", ["frobnicate", "---", "not this"])
def test_no_hover_outside_of_keys_and_values(mark: str) -> None:
    assert at(mark) is None


def test_hover_of_a_condition_explains_its_scope_and_globs() -> None:
    found = at("as any")
    assert found is not None
    assert "**Matched on** prose that the agent writes to the user" in found[1]
    assert "prose and thinking have no path" in found[1]


def test_hover_of_a_condition_without_scope_explains_the_default_scope() -> None:
    found = at("as any", "---\ncondition: as any;\n---\nno\n")
    assert found is not None
    assert "(the default scope)" in found[1]


def test_hover_of_an_end_sensitive_condition_explains_the_delay() -> None:
    found = at("unwrap", "---\ncondition: 'unwrap(?!_or)'\n---\nno\n")
    assert found is not None
    assert "looks past the end of its match" in found[1]


def test_each_part_of_a_condition_is_explained() -> None:
    found = at("\\d", "---\ncondition: '\\d+ 😀|(?<year>a)'\n---\nno\n")
    assert found is not None
    assert "`\\d+`" in found[1]
    assert "😀" in found[1]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a", "`a`"),
        ("", "`  `"),
        ("a`b", "``a`b``"),
        ("`a``b`", "``` `a``b` ```"),
        ("a\nb\x07\U000e0001", "`a\\nb\\u0007\\u{e0001}`"),
        ("x" * 300, f"`{'x' * 200}…`"),
    ],
)
def test_hover_escapes_texts_of_the_file(text: str, code: str) -> None:
    assert inline_code(text) == code


@given(st.text(alphabet=st.sampled_from("-\n: 'abc()[]*\\|`😀,#"), max_size=60), st.integers(0, 80))
def test_hover_of_any_text_never_raises_and_has_a_span_inside_of_it(rest: str, offset: int) -> None:
    text = f"---\ncondition: {rest}\n---\nno\n"
    hover = hover_rule(read_rule(text, name="a", path="a.md"), offset)
    assert hover is None or (isinstance(hover, Hover) and _inside(hover.span, text))


def _inside(span: Span, text: str) -> bool:
    return 0 <= span.start <= span.end <= len(text)


def test_groups_are_shown_below_their_headings() -> None:
    text = "---\ncondition: '(?:(?:foo|ba[rz]+|x{3})\\s+(?:a|b|\\d+)){2,}y+(?=z\\d{3}|q)'\n---\nbody\n"
    found = at("ba[rz]", text)
    assert found is not None
    lines = found[1].splitlines()
    depths = {(len(line) - len(line.lstrip())) // 2 for line in lines if line.lstrip().startswith("- ")}
    assert depths >= {0, 1}
    assert lines[0].startswith("**Here:** `")
    assert '`ba` "ba"' in lines[0]


@pytest.mark.parametrize(
    ("mark", "says"),
    [
        ("src/**", "**2 files of the workspace match**: `src/a.ts`, `src/b/c.py`"),
        ("edit(", "**1 file of the workspace matches**: `src/a.ts`"),
        ("*.rs", "**no file of the workspace matches** (3 are there)"),
    ],
)
def test_globs_are_counted_in_the_workspace(mark: str, says: str) -> None:
    hover = hover_rule(
        read_rule(TEXT, name="a", path="a.md"),
        TEXT.index(mark),
        lambda: FileList(("src/a.ts", "src/b/c.py", "README")),
    )
    assert hover is not None
    assert says in hover.markdown


@pytest.mark.parametrize(
    ("mark", "says"),
    [
        ("src/**", "**2 of 3 files match, of a workspace that has more**: `src/a.ts`"),
        ("*.rs", "**none of 3 files matches**. The workspace has more; they were not listed."),
    ],
)
def test_a_count_of_an_incomplete_file_list_is_marked(mark: str, says: str) -> None:
    files = FileList(("src/a.ts", "src/b/c.py", "README"), is_complete=False)
    hover = hover_rule(read_rule(TEXT, name="a", path="a.md"), TEXT.index(mark), lambda: files)
    assert hover is not None
    assert says in hover.markdown


@pytest.mark.parametrize(
    ("line", "mark", "says"),
    [
        ("agents: '!main'", "main", "every agent but the session at the top"),
        ("astCondition: 'foo($A)'", "foo", "an ast-grep pattern"),
        ("enabled: false", "false", "switched off"),
        ("alwaysApply: true", "true", "part of every prompt"),
    ],
)
def test_each_value_is_explained(line: str, mark: str, says: str) -> None:
    found = at(mark, f"---\ncondition: x\n{line}\n---\nbody\n")
    assert found is not None
    assert says in found[1]


def test_an_explanation_has_no_backslash_that_an_editor_shows() -> None:
    text = condition_text(r"__init__\s(?<na_me>x)\*a_[b_*<]").split("\n\n", 1)[1]
    for shown in ("`__init__`", "named `na_me`", "one of b, `_`, `*` or `<`"):
        assert shown in text
    outside = re.sub(r"(`+).*?\1", "", text)
    assert "\\" not in outside
    assert not set("_*<") & set(outside)


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_a_key_names_its_default_once(key: Key) -> None:
    hover = hover_rule(read_rule(f"---\n{key.name}: x\n---\nNo.\n", name="a", path="a.md"), 5)
    assert hover is not None
    assert hover.markdown.count("Without it") + hover.markdown.count("Without the key") == 1
