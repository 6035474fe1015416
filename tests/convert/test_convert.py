"""Conversion of rules: the written entries, the reported losses, and that the same texts trigger them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.property_examples import examples
from ttsr_ls.convert.conversion import TARGETS, Conversion, convert
from ttsr_ls.convert.patterns import as_omp_condition, joined_conditions
from ttsr_ls.convert.portable_rule import ConversionError
from ttsr_ls.errors import UsageError
from ttsr_ls.esregex.errors import RegexSyntaxError
from ttsr_ls.esregex.parse.parser import parse
from ttsr_ls.rules.condition import compile_condition
from ttsr_ls.rules.dialects.pi_registration import register_pi
from ttsr_ls.rules.registration import Bucket, register
from ttsr_ls.syntax.dialects.detection import dialect_of
from ttsr_ls.syntax.dialects.guidance_file import ActivationMode, read_guidance
from ttsr_ls.syntax.dialects.table import DIALECTS, Dialect, DialectId, find_dialect
from ttsr_ls.syntax.frontmatter.plain_reader import read_plain
from ttsr_ls.syntax.frontmatter.quoting import single_quoted
from ttsr_ls.syntax.pi.keys import PiScope
from ttsr_ls.syntax.pi.rule_file import read_pi_rule
from ttsr_ls.syntax.reader import read_rule

PATHS = {
    "omp": ".omp/rules/r.md", "omp-legacy": "r.md", "pi-ttsr": ".pi/rules/r.md", "maestro": ".maestro/rules/r.md",
    "hookify": ".claude/hookify.r.local.md", "cursor": ".cursor/rules/r.mdc", "windsurf": ".windsurf/rules/r.md",
    "cline": ".clinerules/r.md", "github": ".github/instructions/r.instructions.md", "claude": ".claude/rules/r.md",
}  # fmt: skip


def converted(frontmatter: str, source: str, target: str, body: str = "Body.\n") -> Conversion:
    text = f"---\n{frontmatter}\n---\n{body}" if frontmatter else body
    return convert_text(text, source, target)


def convert_text(text: str, source: str, target: str) -> Conversion:
    dialects = [find_dialect(source), find_dialect(target)]
    assert dialects[0] is not None
    assert dialects[1] is not None
    return convert(text, name="r", path=PATHS[source], source=dialects[0], target=dialects[1])


def entries(conversion: Conversion) -> list[str]:
    return conversion.frontmatter.splitlines()


@pytest.mark.parametrize(
    ("source", "frontmatter", "target", "expected", "lost"),
    [
        ("pi-ttsr", "trigger: foo", "omp", ["condition: foo", "scope: text"], []),
        ("pi-ttsr", "trigger: 'a\\s'\nflags: im", "omp", ["condition: '(?im)a[^\\S\\n]'", "scope: text"], []),
        ("pi-ttsr", "trigger: '^a'\nscope: accumulated", "omp", ["condition: '^a'", "scope: text"], []),
        ("pi-ttsr", "trigger: a\nmaxFirings: 0", "omp", ["condition: a", "scope: text", "enabled: false"], []),
        ("pi-ttsr", "trigger: a\nmaxFirings: 2", "omp", ["condition: a", "scope: text"], ["ttsr.repeatMode"]),
        ("pi-ttsr", "trigger: a\nmaxFirings: 2\ncooldown: 5", "omp", ["condition: a", "scope: text"],
         ["ttsr.repeatMode", "5 seconds"]),
        ("pi-ttsr", "trigger: a\ncooldown: 5", "omp", ["condition: a", "scope: text"], []),
        ("pi-ttsr", "trigger: a\nscope: chunk\nflags: g", "omp", ["condition: a", "scope: text"],
         ["`g` and `y`", "scope: chunk"]),
        ("pi-ttsr", "trigger: ' a'", "omp", ["condition: '(?: a)'", "scope: text"], []),
        ("pi-ttsr", "trigger: '*.rs'", "omp", None, ["not a valid regular expression"]),
        ("pi-ttsr", "trigger: 'https?://x'", "omp", ["condition: '(?:https?://x)'", "scope: text"], []),
        ("pi-ttsr", "flags: i", "omp", None, ["no `trigger`"]),
        ("pi-ttsr", "trigger: a\nflags: q", "omp", None, ["flags are not valid"]),
        ("omp", "condition: '(?i)foo'\nscope: text", "pi-ttsr",
         ["trigger: foo", "flags: i", "scope: accumulated"], []),
        ("omp", "condition: foo", "pi-ttsr", ["trigger: foo", "scope: accumulated"], ["`tool` of the scope"]),
        ("omp", "condition: [a, b|c]\nscope: text", "pi-ttsr",
         ["trigger: '(?:a)|(?:b|c)'", "scope: accumulated"], []),
        ("omp", "condition: ['(?i)a', b]\nscope: text", "pi-ttsr",
         ["trigger: '(?i:a)|(?:b)'", "scope: accumulated"], ["Node.js 23"]),
        ("omp", "condition: ['(a)\\1', '(b)']\nscope: text", "pi-ttsr", None, ["refer to groups"]),
        ("omp", "condition: a\nscope: tool:edit", "pi-ttsr", None, ["would never fire"]),
        ("omp", "condition: a\nglobs: '*.ts'", "pi-ttsr", None, ["globs"]),
        ("omp", "astCondition: a($$$)", "pi-ttsr", None, ["only AST conditions"]),
        ("omp", "description: d\nalwaysApply: true", "pi-ttsr", None, ["only rules that fire"]),
        ("omp", "condition: a\nscope: text, thinking\nagents: main\ninterruptMode: never\ndescription: d", "pi-ttsr",
         ["trigger: a", "scope: accumulated"], ["`thinking`", "agents", "interruptMode: never", "description"]),
        ("omp", "condition: a\nscope: text\nenabled: false", "pi-ttsr",
         ["trigger: a", "scope: accumulated", "maxFirings: 0"], []),
        ("omp", "condition: ['(', a]\nscope: text", "pi-ttsr", ["trigger: a", "scope: accumulated"], ["`(` is left"]),
        ("omp-legacy", "ttsr_trigger: 'a/?'", "omp", ["condition: '(?:a/?)'"], []),
        ("omp-legacy", "ttsr_trigger: '(?i)a'", "omp", None, ["not a valid regular expression"]),
        ("maestro", "condition: a\nrepeatMode: once", "omp", ["condition: a", "scope: 'text, thinking'"], ["repeat"]),
        ("maestro", "condition: a\nscope: [text, tool:edit]\nglobs: '*.ts'\nagents: codex", "omp",
         ["condition: a", "scope: 'text, tool:edit(*.ts)'"], ["agents"]),
        ("hookify", "event: bash\npattern: rm\\s+-rf\naction: block", "omp",
         ["condition: '(?i)rm(?:\\s|\\\\[nrtf])+-rf'", "scope: 'tool:bash'"],
         ["Python", "JSON", "block", "ttsr.repeatMode"]),
        ("hookify", "event: file\nconditions:\n  - field: file_path\n    operator: regex_match\n    pattern: \\.tsx$\n"
         "  - field: new_text\n    operator: contains\n    pattern: a.b", "omp",
         ["condition: 'a\\.b'", "scope: 'tool:edit(*.tsx), tool:write(*.tsx)'", "interruptMode: never"],
         ["Python", "case", "ttsr.repeatMode"]),
        ("hookify", "event: file\nconditions:\n  - field: new_text\n    operator: regex_match\n    pattern: a\n"
         "  - field: new_text\n    operator: regex_match\n    pattern: (?P<x>b)(?P=x)", "omp",
         ["condition: '(?i)(?=[\\s\\S]*(?:a))(?=[\\s\\S]*(?:(?<x>b)\\k<x>))'", "scope: 'tool:edit, tool:write'",
          "interruptMode: never"], ["Python", "ttsr.repeatMode"]),
        ("hookify", "event: file\nconditions:\n  - field: new_text\n    operator: not_contains\n    pattern: a",
         "omp", None, ["not_contains"]),
        ("hookify", "event: bash\npattern: a++", "omp", None, ["only Python knows"]),
        ("hookify", "event: stop\nconditions:\n  - field: transcript\n    operator: contains\n    pattern: a",
         "omp", None, ["`transcript`"]),
        ("hookify", "event: bash", "omp", None, ["never fires"]),
        ("cursor", "description: d\nglobs: '*.ts,*.js'", "omp",
         ["description: d", "globs:", "  - '*.ts'", "  - '*.js'"], ["because of a file"]),
        ("cursor", "alwaysApply: true", "omp", ["alwaysApply: true"], []),
        ("cursor", "globs: '*.ts'", "windsurf", ["trigger: glob", "globs: *.ts"], []),
        ("cursor", "globs: src/*.ts", "windsurf", ["trigger: glob", "globs: src/*.ts"], []),
        ("windsurf", "trigger: model_decision\ndescription: d", "cursor", ["description: d", "alwaysApply: false"], []),
        ("windsurf", "trigger: glob", "cursor", None, ["neither fires nor is it ever in the prompt"]),
        ("windsurf", "trigger: manual", "claude", [], ["always in the prompt"]),
        ("cline", "paths: ['*.ts', '*.js']", "github", ["applyTo: '*.ts,*.js'"], []),
        ("cline", "", "github", ["applyTo: '**'"], []),
        ("github", "applyTo: '**'\nexcludeAgent: code-review", "claude", [], ["excludeAgent"]),
        ("github", "applyTo: '**/*.ts, **/*.js'", "claude", ["paths:", "  - '**/*.ts'", "  - '**/*.js'"], []),
        ("claude", "paths: '{a,b}/*.ts'\ndescription: d", "cline", ["paths:", "  - '{a,b}/*.ts'"], ["description"]),
        ("omp", "condition: a\nscope: tool:edit(*.ts), tool:write(*.ts)", "claude", ["paths:", "  - '*.ts'"],
         ["matches no output"]),
        ("omp", "condition: a\nenabled: false", "claude", None, ["switched off"]),
    ],
)  # fmt: skip
def test_conversion_writes_the_entries_and_reports_losses(
    source: str, frontmatter: str, target: str, expected: list[str] | None, lost: list[str]
) -> None:
    if expected is None:
        with pytest.raises(ConversionError) as refused:
            converted(frontmatter, source, target)
        said = [str(refused.value)]
    else:
        conversion = converted(frontmatter, source, target)
        assert entries(conversion) == expected
        said = list(conversion.lost)
    assert len(said) == len(lost)
    assert all(part in sentence for part, sentence in zip(lost, said, strict=True)), said
    assert all(sentence.endswith((".", "`")) or ": " in sentence for sentence in said)


def test_comments_line_ends_and_body_are_kept() -> None:
    text = "---\r\n# why\r\ntrigger: foo # so\r\n# ttsr-ls: note\r\n---\r\n\r\n# Title\r\n\r\nBody\r\n"
    conversion = convert_text(text, "pi-ttsr", "omp")
    assert conversion.text == (
        "---\r\n# why\r\n# ttsr-ls: note\r\ncondition: foo\r\nscope: text\r\n---\r\n\r\n# Title\r\n\r\nBody\r\n"
    )


def test_html_comments_of_an_omp_body_are_removed_for_other_dialects() -> None:
    conversion = converted("condition: a\nscope: text", "omp", "pi-ttsr", "Say <!-- not this --> so.\n")
    assert conversion.text.endswith("---\n\nSay  so.\n")
    conversion = converted("trigger: a", "pi-ttsr", "omp", "Say <!-- this too --> so.\n")
    assert "HTML comments" in conversion.lost[0]


def test_a_rule_without_frontmatter_is_converted_to_one_without_frontmatter() -> None:
    assert convert_text("Body.\n", "cline", "claude").text == "Body.\n"


@pytest.mark.parametrize("target", [each for each in DialectId if each not in TARGETS])
def test_some_dialects_are_only_read(target: DialectId) -> None:
    with pytest.raises(UsageError, match="only from it"):
        converted("condition: a", "omp", target)


PATTERNS = [
    "a", "^a", "a$", r"\ba\b", r"a\s+b", r"[^x]b", r"[\s\S]a", r"a.b", "a|b", "(a)(b)", r"(a)\1", "a/?b", "*.ts",
    "a?/b", " a", "a ", "", r"(?<!--)a", "<!--a", "a\tb", "a\nb", r"\u0061", "é", "😀", "[a-c]{2}", r"(?<=\n)a",
    "(?i:a)", r"\/", "it's", '"', "a: b", "a #b", "#a", "[", "(", "&a", "!a",
]  # fmt: skip
TEXTS = st.text(st.sampled_from("aabbxA \n\t/é-<!\"'"), max_size=12)
FLAGS = st.sampled_from(["", "", "i", "m", "s", "im"])


def pi_fires(text: str, on: str) -> bool:
    """Returns whether the rule fires on a text that comes as a whole, by the pseudo-code of the seed."""
    file = read_pi_rule(text, name="r", path="r.md")
    rule = register_pi(file).rule
    assert rule is not None
    assert rule.pi is not None
    parts = on.split("\n") if file.scope is PiScope.LINE else [on]
    return any(rule.pi.condition.matcher.test(part) for part in parts)


def omp_fires(text: str, on: str) -> bool:
    registration = register(read_rule(text, name="r", path="r.md"), "native")
    assert registration.bucket is Bucket.TTSR
    assert registration.rule is not None
    assert registration.rule.scope.text
    return any(condition.matcher.test(on) for condition in registration.rule.conditions)


@examples(300)
@given(st.sampled_from(PATTERNS), FLAGS, st.sampled_from(["line", "accumulated"]), TEXTS)
def test_from_pi_to_omp_and_back_the_same_texts_fire(pattern: str, flags: str, scope: str, on: str) -> None:
    quoted = single_quoted(pattern) or '"' + pattern.replace("\n", "\\n") + '"'
    text = f"---\ntrigger: {quoted}\nflags: '{flags}'\nscope: {scope}\n---\nBody.\n"
    try:
        conversion = convert_text(text, "pi-ttsr", "omp")
    except ConversionError:
        assume(False)
    assert conversion.lost == ()
    back = convert_text(conversion.text, "omp", "pi-ttsr")
    assert back.lost == ()
    assert omp_fires(conversion.text, on) == pi_fires(text, on) == pi_fires(back.text, on)
    # What went there and back once stays as it is.
    again = convert_text(back.text, "pi-ttsr", "omp")
    assert convert_text(again.text, "omp", "pi-ttsr").text == back.text


@examples(300)
@given(st.lists(st.tuples(st.sampled_from(PATTERNS), FLAGS), min_size=1, max_size=3), TEXTS)
def test_from_omp_to_pi_and_back_the_same_texts_fire(drawn: list[tuple[str, str]], on: str) -> None:
    conditions = [as_omp_condition(f"(?{flags}){pattern}" if flags else pattern) for pattern, flags in drawn]
    for condition in conditions:
        try:
            compile_condition(condition)
        except RegexSyntaxError:
            assume(False)
    listed = "\n".join(f"  - {single_quoted(condition)}" for condition in conditions)
    text = f"---\ncondition:\n{listed}\nscope: text\n---\nBody.\n"
    try:
        conversion = convert_text(text, "omp", "pi-ttsr")
    except ConversionError:
        assert any("\\1" in condition for condition in conditions)
        return
    back = convert_text(conversion.text, "pi-ttsr", "omp")
    assert omp_fires(text, on) == pi_fires(conversion.text, on) == omp_fires(back.text, on)


@given(st.sampled_from(PATTERNS), FLAGS)
def test_as_omp_condition_is_read_unchanged_by_omp(pattern: str, flags: str) -> None:
    try:
        parse(pattern)
    except RegexSyntaxError:
        assume(False)
    condition = as_omp_condition(f"(?{flags}){pattern}" if flags else pattern)
    file = read_rule(f"---\ncondition: {single_quoted(condition)}\n---\nBody --> here\n", name="r", path="r.md")
    assert [text.value for text in file.fields.conditions] == [condition]
    assert file.fields.shorthand_globs == ()


def test_joined_patterns_keep_their_alternatives_apart() -> None:
    assert joined_conditions(("(?i)a|b", "(?i)c")) == ("(?:a|b)|(?:c)", "i", ())


GUIDANCE = [dialect for dialect in DIALECTS if dialect.id in TARGETS and dialect.id not in ("omp", "pi-ttsr")]


@pytest.mark.parametrize("target", GUIDANCE, ids=lambda dialect: dialect.id)
@pytest.mark.parametrize("source", GUIDANCE, ids=lambda dialect: dialect.id)
@pytest.mark.parametrize("activation", [ActivationMode.ALWAYS, ActivationMode.FOR_FILES])
def test_converted_guidance_has_the_same_activation(
    source: Dialect, target: Dialect, activation: ActivationMode
) -> None:
    rule = {ActivationMode.ALWAYS: "alwaysApply: true", ActivationMode.FOR_FILES: "globs: '{a,b}/*.ts,c/[x,y].ts'"}[
        activation
    ]
    first = converted(rule, "cursor", source.id) if source.id != "cursor" else None
    text = f"---\n{rule}\n---\nBody.\n" if first is None else first.text
    second = convert_text(text, source.id, target.id)
    for item, dialect in ((text, source), (second.text, target)):
        file = read_guidance(item, name="r", path=PATHS[dialect.id], dialect=dialect)
        assert file.activation is activation
        if activation is ActivationMode.FOR_FILES:
            assert [glob.value for glob in file.globs] == ["{a,b}/*.ts", "c/[x,y].ts"]


@given(
    st.sampled_from(list(PATHS)),
    st.sampled_from(TARGETS),
    st.text(st.sampled_from("abc:- \n'\"[]{}#*.\\(|😀\t"), max_size=60),
)
def test_any_file_is_converted_or_refused(source: str, target: str, text: str) -> None:
    keys = ["condition", "trigger", "ttsr_trigger", "pattern", "globs", "paths", "applyTo"]
    for whole in (text, *(f"---\n{key}: {text}\nevent: bash\n---\n{text}" for key in keys)):
        try:
            conversion = convert_text(whole, source, target)
        except ConversionError:
            continue
        file = read_plain(conversion.text, name="r", path=PATHS[target])
        assert file.frontmatter is None or not file.frontmatter.recovered or target in ("cursor", "windsurf")


def test_every_dialect_has_a_path_here() -> None:
    assert set(PATHS) == {str(dialect.id) for dialect in DIALECTS}
    for name, path in PATHS.items():
        if name != "omp-legacy":
            assert str(dialect_of(path, None).id) == name
            assert Path(path).name.startswith(("r", "hookify.r"))
