"""Checks of rule files in other dialects than omp's, one module for each dialect or group of dialects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.dialect_checks.guidance import check_guidance, check_missing_frontmatter
from ttsr_ls.lint.dialect_checks.guidance_files import check_guidance_files
from ttsr_ls.lint.dialect_checks.guidance_globs import check_guidance_globs
from ttsr_ls.lint.dialect_checks.guidance_place import check_guidance_place
from ttsr_ls.lint.dialect_checks.hookify import check_hookify
from ttsr_ls.lint.dialect_checks.keys import check_frontmatter, check_keys
from ttsr_ls.lint.dialect_checks.misplaced_frontmatter import check_misplaced_frontmatter
from ttsr_ls.lint.dialect_checks.pi import check_pi
from ttsr_ls.lint.dialect_checks.pi_extensions import is_for_another_extension
from ttsr_ls.lint.dialect_checks.pi_pattern import check_pi_pattern
from ttsr_ls.lint.dialect_checks.unseen import check_unseen
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.other_dialect import check_other_dialect
from ttsr_ls.rules.dialects.pi_registration import register_pi
from ttsr_ls.syntax.dialects.table import Dialect, DialectId
from ttsr_ls.syntax.frontmatter.plain_reader import PlainFile, read_plain
from ttsr_ls.syntax.hookify.rule_file import read_hookify
from ttsr_ls.syntax.pi.rule_file import read_pi_rule
from ttsr_ls.syntax.rule_file import RuleFile


def check_in_dialect(file: RuleFile, dialect: Dialect, context: LintContext) -> Iterator[Finding]:
    """Returns the findings of a file of a dialect other than omp's. `file` is the file as omp would read it."""
    match dialect.id:
        case DialectId.PI_TTSR:
            yield from _check_pi_file(file, dialect)
        case DialectId.HOOKIFY:
            hookify_file = read_hookify(file.text, name=file.name, path=file.path)
            yield from _check_every_dialect(hookify_file.file, dialect, ())
            yield from check_hookify(file, hookify_file, context)
        case DialectId.CURSOR | DialectId.WINDSURF | DialectId.CLINE | DialectId.GITHUB | DialectId.CLAUDE:
            yield from _check_guidance_file(file, dialect, context)
        case DialectId.OMP | DialectId.OMP_LEGACY | DialectId.MAESTRO:
            plain_file = read_plain(file.text, name=file.name, path=file.path)
            yield from _check_every_dialect(plain_file, dialect, check_unseen(plain_file, dialect))
        case _:
            assert_never(dialect.id)


def _check_every_dialect(file: PlainFile, dialect: Dialect, unseen: Iterable[Finding]) -> Iterator[Finding]:
    """Yields the findings that do not depend on the dialect, and `unseen`, which report frontmatter not recognised."""
    yield from check_frontmatter(file, dialect)
    yield from unseen
    yield from check_other_dialect(file, dialect)
    yield from check_keys(file, dialect)


def _check_pi_file(file: RuleFile, dialect: Dialect) -> Iterator[Finding]:
    pi_file = read_pi_rule(file.text, name=file.name, path=file.path)
    if is_for_another_extension(pi_file.file):
        return
    yield from _check_every_dialect(pi_file.file, dialect, check_unseen(pi_file.file, dialect))
    registration = register_pi(pi_file)
    yield from check_pi(file, pi_file, registration)
    yield from check_pi_pattern(file, pi_file, registration)


def _check_guidance_file(file: RuleFile, dialect: Dialect, context: LintContext) -> Iterator[Finding]:
    plain_file = read_plain(file.text, name=file.name, path=file.path)
    unseen = tuple(check_unseen(plain_file, dialect)) or tuple(check_misplaced_frontmatter(plain_file, dialect))
    yield from _check_every_dialect(plain_file, dialect, unseen)
    yield from check_guidance(file, dialect)
    location = context.location or file.path
    # If the program does not recognise the frontmatter, findings about missing keys would be consequences of that.
    if not unseen:
        yield from check_missing_frontmatter(plain_file, dialect, location)
    findings = check_guidance_files(plain_file, dialect)
    yield from (finding for finding in findings if not (unseen and finding.code == "never-in-prompt"))
    yield from check_guidance_globs(plain_file, dialect)
    yield from check_guidance_place(file, dialect, location)
