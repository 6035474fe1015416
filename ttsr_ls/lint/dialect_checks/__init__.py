"""Checks of rule files in other dialects than omp's, one module for each dialect or group of dialects."""

from __future__ import annotations

from collections.abc import Iterator
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
from ttsr_ls.syntax.dialects.table import Dialect, DialectId, Purpose
from ttsr_ls.syntax.frontmatter.plain_reader import read_plain
from ttsr_ls.syntax.hookify.rule_file import read_hookify
from ttsr_ls.syntax.pi.rule_file import read_pi_rule
from ttsr_ls.syntax.rule_file import RuleFile


def check_in_dialect(file: RuleFile, dialect: Dialect, context: LintContext) -> Iterator[Finding]:
    """Returns the findings of a file of a dialect other than omp's. `file` is the file as omp would read it."""
    if dialect.id is DialectId.HOOKIFY:
        plain_file = read_hookify(file.text, name=file.name, path=file.path).file
    else:
        plain_file = read_plain(file.text, name=file.name, path=file.path)
    if dialect.id is DialectId.PI_TTSR and is_for_another_extension(plain_file):
        return
    yield from check_frontmatter(plain_file, dialect)
    unseen = () if dialect.id is DialectId.HOOKIFY else tuple(check_unseen(plain_file, dialect))
    if dialect.purpose is Purpose.GUIDES and not unseen:
        unseen = tuple(check_misplaced_frontmatter(plain_file, dialect))
    yield from unseen
    yield from check_other_dialect(plain_file, dialect)
    yield from check_keys(plain_file, dialect)
    match dialect.id:
        case DialectId.PI_TTSR:
            yield from check_pi(file)
            yield from check_pi_pattern(file, read_pi_rule(file.text, name=file.name, path=file.path))
        case DialectId.HOOKIFY:
            yield from check_hookify(file, context)
        case DialectId.CURSOR | DialectId.WINDSURF | DialectId.CLINE | DialectId.GITHUB | DialectId.CLAUDE:
            yield from check_guidance(file, dialect)
            # Keys that the program does not see are missing for that reason alone.
            if not unseen:
                yield from check_missing_frontmatter(plain_file, dialect, context.location or file.path)
            findings = check_guidance_files(plain_file, dialect)
            yield from (finding for finding in findings if not (unseen and finding.code == "never-told"))
            yield from check_guidance_globs(plain_file, dialect)
            yield from check_guidance_place(file, dialect, context.location or file.path)
        case DialectId.OMP | DialectId.OMP_LEGACY | DialectId.MAESTRO:
            pass
        case _:
            assert_never(dialect.id)
