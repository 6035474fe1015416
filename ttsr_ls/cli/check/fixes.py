"""`check --fix`: applies fixes to files, or shows as a diff what they would change."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from difflib import unified_diff
from pathlib import Path, PurePath

from ttsr_ls.cli.check.checking import Opened
from ttsr_ls.cli.formats.report import CheckedFile, Report, Unreadable
from ttsr_ls.cli.formats.text import summary
from ttsr_ls.cli.printing.diff_name import diff_name
from ttsr_ls.cli.printing.output import write_error, write_exact
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.lint.finding import Safety
from ttsr_ls.lint.fixes.fixing import Mended, mend
from ttsr_ls.store.log.rewriting import NotRewrittenError, encoded, rewrite
from ttsr_ls.text import Encoding, LineIndex

_BYTES_LOST = "has bytes that are not UTF-8, which would be lost; save it as UTF-8 first"


def fixed(opened: Iterable[Opened | Unreadable], args: argparse.Namespace) -> Report:
    """Mends the files and reports what is left. What cannot be written is reported too."""
    return _mended(opened, args, _write)


def print_diffs(opened: Iterable[Opened | Unreadable], args: argparse.Namespace) -> Report:
    """Prints what would be fixed, as `patch -p1` and `git apply` take it, and reports what would be left."""
    report = _mended(opened, args, _print_diff)
    # Beside the diff, since the status also counts what would be left.
    write_error(f"with these changes: {summary(report)}")
    return report


def _mended(
    opened: Iterable[Opened | Unreadable], args: argparse.Namespace, put: Callable[[Opened, Mended], None]
) -> Report:
    """Mends each file and hands it to `put`; a file of which that raises NotRewrittenError stays as it is."""
    files: list[CheckedFile] = []
    unreadable: list[Unreadable] = []
    count = fixable = 0
    for each in opened:
        if isinstance(each, Unreadable):
            unreadable.append(each)
            continue
        mended = mend(each.text, each.check, _allowed(args), each.keeps_triggers)
        try:
            put(each, mended)
        except NotRewrittenError as error:
            unreadable.append(Unreadable(each.path, str(error)))
            mended = Mended(each.text, 0, each.check(each.text))
        _tell_left_out(each.path, mended)
        files.append(CheckedFile(each.path, mended.text, mended.findings))
        count += mended.fixed
        if not args.unsafe_fixes and any(finding.fixes for finding in mended.findings):
            fixable += mend(mended.text, each.check, frozenset(Safety), each.keeps_triggers).fixed
    return Report(tuple(files), tuple(unreadable), fixed=count, fixable=fixable)


def _tell_left_out(path: str, mended: Mended) -> None:
    """Says why findings that have a fix are left."""
    lines = LineIndex(mended.text)
    for each in mended.left_out:
        place = lines.position(each.finding.span.start, Encoding.UTF32)
        brings = ", ".join(each.brings)
        why = f"it would bring a new finding, {brings}" if brings else "the file would be no better for it"
        where = f"{one_line(path)}:{place.line + 1}:{place.character + 1}"
        write_error(f"{where}: the fix of {each.finding.code} is left out ({each.fix.title}): {why}.")


def _allowed(args: argparse.Namespace) -> frozenset[Safety]:
    return frozenset(Safety) if args.unsafe_fixes else frozenset((Safety.SAFE,))


def _write(opened: Opened, mended: Mended) -> None:
    if mended.text == opened.text:
        return
    if opened.decoding:
        raise NotRewrittenError(f"{opened.path} is not changed: it {_BYTES_LOST}")
    rewrite(Path(opened.path), opened.data, encoded(mended.text, opened.data))


def _print_diff(opened: Opened, mended: Mended) -> None:
    path = PurePath(opened.path)
    name = path.as_posix()
    old, new = (name, name) if path.is_absolute() else (f"a/{name}", f"b/{name}")
    for line in unified_diff(_lines(opened.text), _lines(mended.text), diff_name(old), diff_name(new)):
        shown = line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        write_exact(shown)


def _lines(text: str) -> list[str]:
    """The lines as `patch` counts them, each with its end."""
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1].removesuffix("\n")
    return lines if lines[-1] else lines[:-1]
