"""Runs every check on one rule file.

Owns the order of findings; the reader, registration, and `checks` find them. Pure: no disk.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from ttsr_ls.checkpoint import checkpoint, with_checkpoints
from ttsr_ls.escaping import one_line
from ttsr_ls.esregex.analysis.graph.work import WorkBudget
from ttsr_ls.lint.checks import CHECKS
from ttsr_ls.lint.consequences import without_consequences, without_superseded
from ttsr_ls.lint.context import LintContext
from ttsr_ls.lint.finding import Finding
from ttsr_ls.lint.fixes.fix_safety import verify_fix_safety
from ttsr_ls.lint.limit_findings import limit_findings
from ttsr_ls.lint.locations.shared_folders import is_of_another_program
from ttsr_ls.lint.other_dialect import check_other_dialect
from ttsr_ls.lint.problem_findings import findings_of_problems
from ttsr_ls.lint.recovery import recover_file
from ttsr_ls.lint.regex.trigger_coverage import fires_wherever
from ttsr_ls.rules.registration import Registration, register
from ttsr_ls.syntax.dialects.detection import dialect_of
from ttsr_ls.syntax.dialects.file_roles import role_of, with_role
from ttsr_ls.syntax.dialects.table import OMP, OMP_LEGACY, DialectId
from ttsr_ls.syntax.frontmatter.plain_reader import PlainFile
from ttsr_ls.syntax.problems import Problem
from ttsr_ls.syntax.reader import read_rule
from ttsr_ls.syntax.rule_file import RuleFile
from ttsr_ls.text import Span


def check_file(file: RuleFile, context: LintContext, decoding: Iterable[Problem] = ()) -> tuple[Finding, ...]:
    """Returns all findings of a rule file, in source order. Never raises on content.

    `decoding` are the problems of decoding the file (`syntax.reader.decode`).
    """
    dialect = dialect_of(context.location or file.path, file.frontmatter, context.dialect)
    if dialect is OMP and context.dialect is None and is_of_another_program(file, context.location or file.path):
        return ()
    if dialect is OMP_LEGACY and context.dialect is DialectId.OMP_LEGACY:
        findings = _legacy_findings(file, context, tuple(decoding))
    elif dialect in (OMP, OMP_LEGACY):
        findings = _omp_findings(file, context, tuple(decoding))
    else:
        # Imported lazily: most files are omp's, and importing the other dialects takes as long as checking a file.
        from ttsr_ls.lint.dialect_checks import check_in_dialect

        findings = (
            *findings_of_problems(decoding, file),
            *check_in_dialect(file, dialect, context),
        )
    # One pattern may have thousands of findings.
    placed_findings = [_within_lines(finding, file.text) for finding in with_checkpoints(findings)]
    unique = {(finding.code, finding.span): finding for finding in with_checkpoints(reversed(placed_findings))}
    shown_findings = _unsuppressed(without_superseded(with_checkpoints(unique.values()), file.text), file)
    selected = context.selection.apply_to_findings(with_checkpoints(shown_findings))
    checkpoint()
    # Only the reported findings are made printable and verified.
    reported = map(_printable, with_checkpoints(limit_findings(sorted(selected, key=_order), context.limits)))
    if dialect in (OMP, OMP_LEGACY):
        return tuple(verify_fix_safety(reported, file.text, lambda text: _registration(file, text, context)))
    return tuple(reported)


def _omp_findings(file: RuleFile, context: LintContext, decoding: tuple[Problem, ...]) -> tuple[Finding, ...]:
    recovered = recover_file(file)
    if recovered is not None:
        others_findings = recovered.in_original(_omp_findings(recovered.file, context, ()))
        return (*findings_of_problems(decoding, file), *recovered.causes, *others_findings)
    file = with_role(file, role_of(context.location or file.path))
    registration = register(file, context.provider)
    problems = (*decoding, *file.problems, *registration.problems)
    findings = list(findings_of_problems(problems, file))
    for check in CHECKS:
        checkpoint()
        findings.extend(with_checkpoints(check(file, registration, context)))
    as_read = PlainFile(file.name, file.path, file.text, file.frontmatter, file.body, None)
    findings.extend(check_other_dialect(as_read, OMP))
    return without_consequences(with_checkpoints(findings), problems, file.text)


def keeps_triggers(before: RuleFile, text: str, context: LintContext) -> bool:
    """Returns whether a rule file with another text fires wherever it fires now; always true for other dialects than
    omp's.
    """
    if dialect_of(context.location or before.path, before.frontmatter, context.dialect) not in (OMP, OMP_LEGACY):
        return True
    return fires_wherever(
        _registration(before, text, context), _registration(before, before.text, context), WorkBudget()
    )


def _registration(file: RuleFile, text: str, context: LintContext) -> Registration:
    """Returns the registration of the file with another text."""
    again = file if text == file.text else read_rule(text, name=file.name, path=file.path)
    return register(with_role(again, role_of(context.location or file.path)), context.provider)


def _legacy_findings(file: RuleFile, context: LintContext, decoding: tuple[Problem, ...]) -> tuple[Finding, ...]:
    """Returns the findings of a file for omp before `condition`, in which the legacy key is correct."""
    # Imported lazily: such rules are very rare.
    from ttsr_ls.rules.dialects.legacy_registration import register_legacy

    findings = (finding for finding in _omp_findings(file, context, decoding) if finding.code != "legacy-key")
    problems = register_legacy(file, context.provider).problems
    return (*findings, *findings_of_problems(problems, file))


def _unsuppressed(findings: Iterable[Finding], file: RuleFile) -> Iterable[Finding]:
    """Returns the findings that no comment in the file suppresses."""
    if "ttsr-ls:" not in file.text:
        return findings
    # Imported lazily: few files have such comments.
    from ttsr_ls.lint.suppressions.suppression import without_suppressed

    return without_suppressed(findings, file)


def _within_lines(finding: Finding, text: str) -> Finding:
    """Moves a finding from the end of the file, where editors may show no line, to the last line with text."""
    if finding.span != Span(len(text), len(text)):
        return finding
    end = len(text.rstrip())
    start = max(text.rfind("\n", 0, end), text.rfind("\r", 0, end)) + 1
    return replace(finding, span=Span(start, end))


def _printable(finding: Finding) -> Finding:
    """Escapes control characters, surrogates, and direction marks that a finding quotes from a hostile file."""
    texts = (
        finding.message,
        *(fix.title for fix in finding.fixes),
        *(location.message for location in finding.related),
    )
    if all(text.isprintable() for text in texts):
        return finding
    return replace(
        finding,
        message=one_line(finding.message),
        fixes=tuple(replace(fix, title=one_line(fix.title)) for fix in finding.fixes),
        related=tuple(replace(location, message=one_line(location.message)) for location in finding.related),
    )


def _order(finding: Finding) -> tuple[Span, str, str]:
    return finding.span, finding.code, finding.message
