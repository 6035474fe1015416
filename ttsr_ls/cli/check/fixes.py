"""`check --fix`: applies fixes to files, or shows as a diff what they would change."""

from __future__ import annotations

import argparse
import codecs
from collections.abc import Callable, Iterable
from pathlib import Path

from ttsr_ls.cli.check.check_run import OpenedFile
from ttsr_ls.cli.formats.report import CheckedFile, CheckReport, UncheckedFile
from ttsr_ls.cli.formats.text import summary
from ttsr_ls.cli.printing.output import write_error, write_exact
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.cli.printing.text_diff import text_diff
from ttsr_ls.lint.finding import Safety
from ttsr_ls.lint.fixes.fixed_file import FixedFile, fix_file
from ttsr_ls.store.files.rewriting import NotRewrittenError, encode_like, rewrite_file
from ttsr_ls.text import Encoding, LineIndex

_UTF_16 = "is UTF-16, and git applies no diff to such a file; use --fix, or save it as UTF-8 first"
_LINK = "is a link, to which git applies no diff; name the file that it leads to"
_BYTES_LOST = "has bytes that are not UTF-8, which would be lost; save it as UTF-8 first"


def fix_files(files: Iterable[OpenedFile | UncheckedFile], args: argparse.Namespace) -> CheckReport:
    """Fixes the files and reports the remaining findings and the files that cannot be written."""
    return _fixed(files, args, _write)


def print_diffs(files: Iterable[OpenedFile | UncheckedFile], args: argparse.Namespace) -> CheckReport:
    """Prints the fixes as a diff for `patch -p1` and `git apply`; reports the findings that would be left."""
    report = _fixed(files, args, _print_diff)
    # On standard error, beside the diff: the findings that would be left decide the exit status, too.
    changes = "with these changes" if report.fixed else "no changes"
    write_error(f"{changes}: {summary(report)}")
    return report


def _fixed(
    opened_files: Iterable[OpenedFile | UncheckedFile],
    args: argparse.Namespace,
    put: Callable[[OpenedFile, FixedFile], None],
) -> CheckReport:
    """Fixes each file and passes it to `put`. If that raises NotRewrittenError, the file is reported as unreadable."""
    files: list[CheckedFile] = []
    unreadable: list[UncheckedFile] = []
    count = fixable = 0
    for file in opened_files:
        if isinstance(file, UncheckedFile):
            unreadable.append(file)
            continue
        fixed_file = fix_file(file.text, file.check, _allowed(args), file.keeps_triggers)
        try:
            put(file, fixed_file)
        except NotRewrittenError as error:
            unreadable.append(UncheckedFile(file.path, str(error)))
            fixed_file = FixedFile(file.text, 0, file.check(file.text))
        _report_rejected_fixes(file.path, fixed_file)
        files.append(CheckedFile(file.path, fixed_file.text, fixed_file.findings))
        count += fixed_file.fixed
        if not args.unsafe_fixes and any(finding.fixes for finding in fixed_file.findings):
            fixable += fix_file(fixed_file.text, file.check, frozenset(Safety), file.keeps_triggers).fixed
    return CheckReport(tuple(files), tuple(unreadable), fixed=count, fixable=fixable)


def _report_rejected_fixes(path: str, file: FixedFile) -> None:
    """Prints why findings that have a fix were not fixed."""
    lines = LineIndex(file.text)
    for rejected in file.rejected:
        place = lines.position(rejected.finding.span.start, Encoding.UTF32)
        effect = f"cause {', '.join(rejected.new_codes)}" if rejected.new_codes else "not reduce the number of findings"
        position = f"{one_line(path)}:{place.line + 1}:{place.character + 1}"
        write_error(f"{position}: {rejected.finding.code} is not fixed: the fix ({rejected.fix.title}) would {effect}.")


def _allowed(args: argparse.Namespace) -> frozenset[Safety]:
    return frozenset(Safety) if args.unsafe_fixes else frozenset((Safety.SAFE,))


def _write(file: OpenedFile, fixed_file: FixedFile) -> None:
    if fixed_file.text == file.text:
        return
    if file.decoding:
        raise NotRewrittenError(f"{file.path} is not changed: it {_BYTES_LOST}")
    rewrite_file(Path(file.path), file.data, encode_like(fixed_file.text, file.data))


def _print_diff(file: OpenedFile, fixed_file: FixedFile) -> None:
    """Prints what changes. Raises NotRewrittenError if `git apply` would refuse that, and with it all other changes."""
    path = Path(file.path)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())  # Git applies no diff to an absolute path.
    if fixed_file.text != file.text:
        if file.data.startswith(codecs.BOM_UTF16_LE):
            raise NotRewrittenError(f"{file.path} is not in the diff: it {_UTF_16}")
        if path.is_symlink():
            raise NotRewrittenError(f"{file.path} is not in the diff: it {_LINK}")
    name = path.as_posix()
    old, new = (name, name) if path.is_absolute() else (f"a/{name}", f"b/{name}")
    mark = "\ufeff" if file.data.startswith(codecs.BOM_UTF8) else ""
    write_exact(text_diff(mark + file.text, mark + fixed_file.text, old, new))
