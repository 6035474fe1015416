"""The table of dialects, and the detection of a file's dialect."""

from __future__ import annotations

import re

import pytest

from ttsr_ls.syntax.dialects.detection import dialect_of, dialect_of_keys, dialect_of_path
from ttsr_ls.syntax.dialects.table import DIALECTS, OMP, Dialect, DialectId, Purpose, find_dialect
from ttsr_ls.syntax.frontmatter.plain_reader import read_plain
from ttsr_ls.syntax.keys import Key, Kind

KEYS = [(dialect, key) for dialect in DIALECTS for key in dialect.keys]


@pytest.mark.parametrize(("dialect", "key"), KEYS, ids=[f"{dialect.id}-{key.name}" for dialect, key in KEYS])
class TestEachKey:
    def test_its_example_is_read_as_the_kind_that_it_takes(self, dialect: Dialect, key: Key) -> None:
        [example] = re.findall(r"```yaml\n(.*?)```", key.documentation, re.DOTALL)
        file = read_plain(f"---\n{example}---\nBody.", name="rule", path="rule.md")
        assert file.value(key.name) is not None
        assert file.frontmatter is not None
        assert all(dialect.find_key(entry.name) for entry in file.frontmatter.entries)
        if Kind.STRING in key.kinds and key.values is not None:
            text = file.text_value(key.name)
            assert text is not None
            assert text.value in key.values

    def test_its_spellings_find_it(self, dialect: Dialect, key: Key) -> None:
        assert all(dialect.find_key(spelling) is key for spelling in key.spellings)


def test_every_dialect_is_in_the_table_once() -> None:
    assert [dialect.id for dialect in DIALECTS] == list(DialectId)
    assert all(find_dialect(dialect.id) is dialect for dialect in DIALECTS)
    assert find_dialect("emacs") is None


def test_four_dialects_have_rules_that_fire() -> None:
    fires = {dialect.id for dialect in DIALECTS if dialect.purpose is Purpose.FIRES}
    assert fires == {DialectId.OMP, DialectId.OMP_LEGACY, DialectId.PI_TTSR, DialectId.MAESTRO}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (".omp/rules/a.md", "omp"),
        ("/home/me/.omp/agent/rules/a.mdc", "omp"),
        ("x/.agents/rules/a.md", "omp"),
        (".omp/rules/deep/a.md", None),
        (".pi/rules/a.md", "pi-ttsr"),
        (".pi/rules/a.mdc", None),
        (".maestro/rules/a.md", "maestro"),
        (".claude/hookify.no-rm.local.md", "hookify"),
        (".claude/no-rm.local.md", None),
        (".claude/rules/deep/a.md", "claude"),
        (".cursor/rules/web/a.mdc", "cursor"),
        (".windsurf/rules/a.md", "windsurf"),
        (".clinerules/a.md", "cline"),
        (".github/instructions/web/a.instructions.md", "github"),
        (".github/instructions/a.md", None),
        ("rules/a.md", None),
        ("README.md", None),
    ],
)
def test_the_dialect_of_a_path_is_detected(path: str, expected: str | None) -> None:
    dialect = dialect_of_path(path)
    assert (None if dialect is None else str(dialect.id)) == expected


@pytest.mark.parametrize(
    ("frontmatter", "expected"),
    [
        ("condition: a", "omp"),
        ("astCondition: a", "omp"),
        ("question: a?", "omp"),
        ("interruptMode: never", "omp"),
        ("ttsr_trigger: a", "omp-legacy"),
        ("ttsr_trigger: a\ncondition: b", "omp"),
        ("trigger: a\nflags: i", "pi-ttsr"),
        ("trigger: a\nscope: line", "pi-ttsr"),
        ("trigger: a\nscope: text", None),
        ("trigger: a\nmaxFirings: 2", "pi-ttsr"),
        ("trigger: a\ncooldown: 2", "pi-ttsr"),
        ("trigger: a", None),
        ("trigger: a\nflags: i\ncondition: b", "omp"),
        ("trigger: always_on", "windsurf"),
        ("trigger: glob\nglobs: '*.ts'", "windsurf"),
        ("event: bash\npattern: rm", "hookify"),
        ("event: file\nconditions: []", "hookify"),
        ("event: party\npattern: rm", None),
        ("pattern: rm", None),
        ("applyTo: '**'", "github"),
        ("paths: ['*.ts']", "claude"),
        ("description: a", None),
        ("globs: '*.ts'", None),
    ],
)
def test_the_dialect_of_keys_is_detected(frontmatter: str, expected: str | None) -> None:
    dialect = dialect_of_keys(read_plain(f"---\n{frontmatter}\n---\n", name="a", path="a.md").frontmatter)
    assert (None if dialect is None else str(dialect.id)) == expected


@pytest.mark.parametrize(
    ("path", "frontmatter", "expected"),
    [
        (".omp/rules/a.md", "trigger: a\nflags: i", "omp"),
        (".pi/rules/a.md", "condition: a", "pi-ttsr"),
        (".maestro/rules/a.md", "condition: a", "maestro"),
        (".cursor/rules/a.mdc", "globs: '*.ts'", "cursor"),
        (".cursor/rules/a.mdc", "condition: a\nglobs: '*.ts'", "omp"),
        (".clinerules/a.md", "ttsr_trigger: a", "omp-legacy"),
        (".claude/rules/a.md", "condition: a", "omp"),
        (".claude/rules/a.md", "paths: a", "claude"),
        ("a.md", "trigger: a\nflags: i", "pi-ttsr"),
        ("a.md", "zebra: 1", "omp"),
    ],
)
def test_the_path_decides_the_dialect_before_the_keys(path: str, frontmatter: str, expected: str) -> None:
    file = read_plain(f"---\n{frontmatter}\n---\n", name="a", path=path)
    assert str(dialect_of(path, file.frontmatter).id) == expected


def test_files_without_frontmatter_have_the_dialect_of_their_location_or_omp() -> None:
    assert dialect_of("a.md", None) is OMP
    assert dialect_of(".cursor/rules/a.mdc", None).id is DialectId.CURSOR
