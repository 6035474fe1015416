"""What a rule fires on before and after its safe fixes: texts to try it on, and our reference matching as the judge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from msgspec import Struct

from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.engine import check_file, keeps_triggers
from ttsr_ls.lint.finding import Finding, Safety
from ttsr_ls.lint.fixes.fixed_file import fix_file
from ttsr_ls.lint.regex.samples import sample_texts
from ttsr_ls.matching.ast.ast_grep import ParsedText
from ttsr_ls.matching.ast.search import AstAnswer
from ttsr_ls.rules.registration import register
from ttsr_ls.rules.rule_set import RuleSet
from ttsr_ls.rules.settings.settings import Matching, Settings
from ttsr_ls.rules.stream import BlockEnd, Delta, Payload, Source, StreamContext
from ttsr_ls.session.rules.session_monitor import DialectMonitor
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.rule_file import RuleFile

PATH = "/project/.omp/rules/rule.md"
PROVIDER = "native"
SAFE = frozenset((Safety.SAFE,))

_TEXTS = (
    "", "foo", "a foo b", "bar", "foobar", "barfoo", "xfoo", "FOO", "x as any;", "TODO: x", "todo", "FIXME it",
    "rm -rf /", "\nfoo\n",
    "console.log('foo')", "console.log(x)", "\"foo\" 'foo'", "see .env now", "a@todo b", "12 going", "src/a.ts",
    "f(foo(1, 2))",
    '{"command":"rm -rf foo"}', "<img src=x>", "é 😀 x", "aaa{,3}", "A", "error: foo #bar", "foo\tbar", "foo\\bar \\d",
)  # fmt: skip
_PLACES = (
    (Source.TEXT, None, ()),
    (Source.THINKING, None, ()),
    (Source.TOOL, "edit", ("src/a.ts", "/project/src/a.ts")),
    (Source.TOOL, "write", ("src/b.py", "/project/src/b.py")),
    (Source.TOOL, "write", ("docs/c.md", "/project/docs/c.md")),
    (Source.TOOL, "bash", ()),
)
_AGENTS = ("main", "sub")
_MAX_TEXTS = 48


class Witness(Struct, frozen=True):
    """A text as it comes from an agent, all at once."""

    source: Source
    tool: str | None
    paths: tuple[str, ...]
    agent: str
    text: str


@cache
def _read(text: str) -> RuleFile:
    return read_rule(text, name="rule", path=PATH)


@cache
def check(text: str) -> tuple[Finding, ...]:
    return check_file(_read(text), LintContext())


@cache
def safely_fixed(text: str) -> str:
    return fix_file(text, check, SAFE, keeps).text


def keeps(before: str, after: str) -> bool:
    return keeps_triggers(_read(before), after, LintContext())


def texts_for(rules: Iterable[str]) -> tuple[str, ...]:
    """Returns texts for matching these rules: usual texts, and texts that their conditions match."""
    texts = dict.fromkeys(_TEXTS)
    for rule in rules:
        texts |= dict.fromkeys(_matched_by(rule))
    return tuple(texts)[: len(_TEXTS) + _MAX_TEXTS]


def witnesses_of(texts: Iterable[str]) -> tuple[Witness, ...]:
    """Each text in each place. The agent changes from text to text, so that `agents` counts."""
    return tuple(
        Witness(source, tool, paths, _AGENTS[number % 7 == 3], text)
        for number, text in enumerate(texts)
        for source, tool, paths in _PLACES
    )


def _matched_by(rule: str) -> list[str]:
    registered_rule = register(_read(rule), PROVIDER).rule
    found = []
    for condition in () if registered_rule is None else registered_rule.conditions:
        for sample in sample_texts(condition.pattern.root):
            # As units, so that half of a pair is not torn out of a file.
            text = sample.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
            found += [text, f"x {text} y", f"a\n{text}\nb"]
    return found


@cache
def fired(rule: str, witnesses: tuple[Witness, ...]) -> str:
    """For each witness `1` where the rule of the file fires in reference matching, else `0`."""
    registration = register(_read(rule), PROVIDER)
    monitors = {}
    for agent in _AGENTS:
        rules = RuleSet.build([registration], Settings(), agent)
        if rules.streamed.rules:
            monitors[agent] = DialectMonitor(rules.streamed, Settings(), Matching.REFERENCE, AstInThisProcess())
    row = ""
    for witness in witnesses:
        monitor = monitors.get(witness.agent)
        if monitor is None:
            row += "0"
            continue
        key = "toolcall:1" if witness.source is Source.TOOL else None
        context = StreamContext(witness.source, witness.tool, witness.paths, key, Payload.WRITTEN)
        monitor.reset()
        triggers = [*monitor.feed(Delta(context, witness.text), 0.0), *monitor.feed(BlockEnd(context), 0.0)]
        row += "1" if triggers else "0"
    return row


def lost(before: str, after: str, witnesses: Sequence[Witness]) -> list[Witness]:
    """The witnesses on which a rule fired and does not any more, of two answers of a judge."""
    return [witness for witness, had, has in zip(witnesses, before, after, strict=True) if had > has]


class AstInThisProcess:
    """Parses in this process, which only is for texts that are known to do no harm."""

    def search(self, text: str, language: str, patterns: Sequence[str]) -> tuple[AstAnswer, ...]:
        parsed = ParsedText(text, language)
        return tuple(next(iter(parsed.find_all(pattern, 1)), None) for pattern in patterns)
