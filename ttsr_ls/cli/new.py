"""`ttsr-ls new`: creates a rule file from a template."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from ttsr_ls.cli.argument_types import path_argument
from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.printing.help_text import add_examples
from ttsr_ls.cli.printing.output import is_quiet, write_line
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.errors import UsageError
from ttsr_ls.ide.scaffold import SCAFFOLDS, Scaffold, new_rule, sample_of, scaffold_for
from ttsr_ls.ide.template_language import TemplateLanguage, template_language
from ttsr_ls.rule_tests.case_file_names import SUFFIXES
from ttsr_ls.syntax.dialects.locations import RULE_SUFFIXES

_SUFFIX, _OTHER_SUFFIX = RULE_SUFFIXES
_MAX_FILES = 10_000
"""The number of files whose suffixes decide the language of the template."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `new`."""
    add_examples(
        parser,
        "NAME [options]",
        ("new no-console-log", ".omp/rules/no-console-log.md"),
        ("new no-console-log --template ast", "with an ast-grep pattern"),
        ("new no-console-log --dir .agents/rules", "in another folder"),
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="the name of the rule, such as no-console-log")
    parser.add_argument(
        "--template",
        choices=[scaffold.id for scaffold in SCAFFOLDS],
        help="the kind of rule; --list describes each (default: the first of its dialect)",
    )
    parser.add_argument("--list", action="store_true", help="list the templates and exit")
    parser.add_argument(
        "--dialect",
        choices=list(dict.fromkeys(str(scaffold.dialect) for scaffold in SCAFFOLDS)),
        help=f"the dialect of the rule (default: {SCAFFOLDS[0].dialect}, or the one of the template)",
    )
    parser.add_argument(
        "--dir",
        type=path_argument,
        metavar="DIR",
        help="the folder of the new file (default: the dialect's folder in the current one)",
    )


def run(args: argparse.Namespace) -> int:
    """Writes the file. Raises `UsageError` if it would replace a file, or if no agent would find it."""
    if args.list:
        return _list()
    if args.name is None:
        raise UsageError("name the rule, as in: ttsr-ls new no-console-log")
    # Imported lazily: the help does not need them.
    from ttsr_ls.lint.checks.file.untouched_template import UNTOUCHED_TEMPLATE
    from ttsr_ls.lint.engine import check_file
    from ttsr_ls.store.discovery.lint_contexts import LintContexts
    from ttsr_ls.store.discovery.scan_tree import files_below
    from ttsr_ls.store.gitignore.ignores import ignores_of
    from ttsr_ls.syntax.reader import read_rule

    scaffold = _scaffold(args)
    folder = Path(scaffold.folder) if args.dir is None else args.dir
    language = template_language(files_below(Path.cwd(), ignores_of(Path.cwd(), None), _MAX_FILES).paths)
    text = new_rule(args.name, scaffold, language)
    path = folder / f"{args.name}{_SUFFIX}"
    if (other := folder / f"{args.name}{_OTHER_SUFFIX}").exists():
        raise UsageError(f"there is a rule of this name already: {other}")
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"cannot write {path}: {folder} is not a folder")
    _write(path, text)
    write_line(one_line(str(path)))
    # A template has only findings of its location: another rule has the name, or git ignores the folder. That it is
    # still a template is reported by the next steps.
    file = read_rule(text, name=args.name, path=str(path))
    found = check_file(file, LintContexts().without_config(path))
    findings = [finding for finding in found if finding.code != UNTOUCHED_TEMPLATE]
    for finding in findings:
        write_line(f"{finding.severity} {finding.code}: {one_line(finding.message)}")
    if not is_quiet():
        _write_next_steps(path, scaffold, language)
    return ExitCode.FINDINGS if findings else ExitCode.OK


def _list() -> int:
    width = max(len(scaffold.id) for scaffold in SCAFFOLDS)
    for scaffold in SCAFFOLDS:
        write_line(f"{scaffold.id:{width}}  {scaffold.label}")
    return ExitCode.OK


def _scaffold(args: argparse.Namespace) -> Scaffold:
    """The template that the arguments select. Each template belongs to one dialect."""
    of_template = next((scaffold for scaffold in SCAFFOLDS if scaffold.id == args.template), SCAFFOLDS[0])
    return scaffold_for(args.dialect or str(of_template.dialect), args.template)


def _write_next_steps(path: Path, scaffold: Scaffold, language: TemplateLanguage) -> None:
    sample = sample_of(scaffold, language)
    if sample is None:
        write_line("Next: write its question, scope, and body. A judge model answers the question.")
        return
    display = shlex.quote(one_line(str(path)))
    as_stream = f" --path {language.path}" if scaffold.id == "ast" else ""
    write_line("Next: write its condition, scope, and body, and try it on a text that it must fire on:")
    write_line(f"  ttsr-ls test --rule {display}{as_stream} {shlex.quote(sample)}")
    write_line(f"Its tests belong in {one_line(str(path.with_name(f'{path.stem}{SUFFIXES[0]}')))}.")


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Mode "x": an existing file or link is never written to.
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError as error:
        raise UsageError(f"{path} exists already") from error
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
