import pytest

from tests.rules.rule_files import TEXT, THINKING, registration_of, tool_call
from ttsr_ls.rules.path_glob import PathGlob, path_globs
from ttsr_ls.rules.scope import DEFAULT_SCOPE, Scope, ToolScope, make_scope
from ttsr_ls.rules.stream import Source, StreamContext
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.scope.tokens import STREAMS


def scope_of(written: str) -> Scope:
    return make_scope(read_rule(f"---\ncondition: x\nscope: {written}\n---\nb", name="r", path="r.md").fields.scope)


def test_the_default_scope_admits_text_and_tools_but_not_thinking() -> None:
    assert make_scope(()) == DEFAULT_SCOPE
    assert [DEFAULT_SCOPE.admits(context) for context in (TEXT, THINKING, tool_call())] == [True, False, True]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("text", Scope(True, False, False, ())),
        ("text, thinking", Scope(True, True, False, ())),
        ("toolcall", Scope(False, False, True, ())),
        ("tool:edit", Scope(False, False, False, (ToolScope("edit", None),))),
        ("Tool:EDIT(*.ts)", Scope(False, False, False, (ToolScope("edit", PathGlob("*.ts")),))),
        ("tool(*.ts)", Scope(False, False, False, (ToolScope(None, PathGlob("*.ts")),))),
        ("'tool:edit( )'", Scope(False, False, False, (ToolScope("edit", None),))),
        ("[edit, edit]", Scope(False, False, False, (ToolScope("edit", None),))),
    ],
)
def test_scope_tokens_form_an_allow_list(written: str, expected: Scope) -> None:
    assert scope_of(written) == expected


@pytest.mark.parametrize("written", ["'*'", "'tool:'", "'tool:edit()'", "['tool: edit', 'text:foo']"])
def test_a_scope_of_invalid_tokens_admits_nothing(written: str) -> None:
    scope = scope_of(written)
    assert not scope.is_reachable
    assert not any(scope.admits(context) for context in (TEXT, THINKING, tool_call()))


def test_a_bare_word_in_a_scope_names_a_tool() -> None:
    scope = scope_of("prose")
    assert scope.is_reachable
    assert scope.admits(tool_call("Prose"))
    assert not scope.admits(TEXT)


def test_a_tool_scope_with_a_glob_requires_a_matching_path() -> None:
    scope = scope_of("tool:edit(*.ts)")
    assert scope.admits(tool_call("edit", "src/a.ts"))
    assert scope.admits(tool_call("edit", "a.md", "b.ts"))
    assert not scope.admits(tool_call("edit", "a.md"))
    assert not scope.admits(tool_call("edit"))
    assert not scope.admits(tool_call("write", "a.ts"))


@pytest.mark.parametrize("name", [" Edit ", "EDIT", "edit"])
def test_tool_names_are_trimmed_and_compared_without_case(name: str) -> None:
    assert scope_of("edit").admits(tool_call(name))


@pytest.mark.parametrize("name", [None, "", " "])
def test_a_call_without_a_tool_name_is_admitted_only_by_any_tool(name: str | None) -> None:
    context = StreamContext(Source.TOOL, name)
    assert not scope_of("edit").admits(context)
    assert scope_of("tool").admits(context)


@pytest.mark.parametrize("source", Source)
def test_each_source_has_a_token(source: Source) -> None:
    scope = scope_of(source.value)
    assert source.value in STREAMS
    assert [each for each in Source if scope.admits_source(each)] == [source]


def test_a_scope_admits_a_source_if_it_admits_some_stream_of_it() -> None:
    scope = scope_of("tool:edit(*.ts)")
    assert [scope.admits_source(source) for source in Source] == [False, False, True]


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("*.ts", "/p/src/a.ts", True),
        ("src/*.ts", "/p/src/a.ts", False),
        ("src/*.ts", "src\\a.ts", True),
        ("!src/a.ts", "src/a.ts", True),
        ("a.ts", "a.ts/b", False),
    ],
)
def test_a_glob_is_tried_on_the_path_and_on_its_last_segment(glob: str, path: str, expected: bool) -> None:
    assert PathGlob(glob).matches_any((path,)) is expected
    assert not PathGlob(glob).matches_any(())


def test_blank_globs_are_ignored() -> None:
    assert path_globs([" *.ts ", "", "  "]) == (PathGlob("*.ts"),)


def test_registration_takes_the_scope_of_the_file() -> None:
    rule = registration_of("condition: x\nscope: thinking").rule
    assert rule is not None
    assert rule.scope == Scope(False, True, False, ())
