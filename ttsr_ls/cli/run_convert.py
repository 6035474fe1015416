"""Runs `convert`: converts the files and reports the losses."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from msgspec import Struct

from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.printing.output import write_error, write_exact, write_json
from ttsr_ls.cli.printing.terminal import one_line
from ttsr_ls.cli.printing.text_diff import text_diff
from ttsr_ls.convert.conversion import Conversion, convert
from ttsr_ls.convert.portable_rule import ConversionError
from ttsr_ls.errors import TtsrError, UsageError
from ttsr_ls.store.discovery.discovery import RuleUnreadableError, read_file
from ttsr_ls.store.files.rule_writer import RuleUnwritableError, write_in_folder_of
from ttsr_ls.syntax.dialects.detection import dialect_of
from ttsr_ls.syntax.dialects.locations import COPILOT_INSTRUCTIONS, HOOKIFY_RULES, RULE_SUFFIXES
from ttsr_ls.syntax.dialects.table import Dialect, find_dialect
from ttsr_ls.syntax.frontmatter.plain_reader import read_plain
from ttsr_ls.syntax.reader import decode

_ENDS = (*COPILOT_INSTRUCTIONS.suffixes, *HOOKIFY_RULES.suffixes, *RULE_SUFFIXES)


class ConvertedFile(Struct, frozen=True):
    """A file that was converted, and where its new text belongs: in the same folder, under the name of its dialect."""

    path: Path
    text: str
    target_path: Path
    conversion: Conversion


def run_convert(args: argparse.Namespace) -> int:
    """Converts the files and prints the results.

    Losses are printed on standard error. The status is `FINDINGS` after a loss and `USAGE` after an error.
    """
    if args.format == "json" and (args.write or args.diff):
        raise UsageError("--format json prints the converted rules; leave out --write and --diff")
    target = _dialect(args.to)
    status = ExitCode.OK
    documents = []
    for name in args.files:
        try:
            converted = _convert(Path(name), args.source, target)
            if args.format == "json":
                documents.append(_converted_json(converted))
            else:
                _output(converted, args)
        except (RuleUnreadableError, RuleUnwritableError, ConversionError, UsageError) as error:
            write_error(one_line(_error_message(name, error)))
            status = ExitCode.USAGE
            continue
        for sentence in converted.conversion.lost:
            _write_message(name, f"lost: {sentence}")
        if converted.conversion.lost and status is ExitCode.OK:
            status = ExitCode.FINDINGS
    if args.format == "json":
        write_json(documents, indent=2)
    return status


def _converted_json(converted: ConvertedFile) -> dict[str, Any]:
    conversion = converted.conversion
    target = str(converted.target_path)
    return {"path": str(converted.path), "targetPath": target, "text": conversion.text, "lost": list(conversion.lost)}


def _convert(path: Path, source_name: str | None, target: Dialect) -> ConvertedFile:
    if path.is_dir():
        raise UsageError("it is a folder; name the rule files in it")
    text, _ = decode(read_file(path))
    name = _stem(path.name)
    if source_name is None:
        file = read_plain(text, name=name, path=str(path))
        source = dialect_of(str(path.absolute()), file.frontmatter)
    else:
        source = _dialect(source_name)
    if source is target:
        raise UsageError(
            f"the rule is already in the dialect {target.id}; if it is in another one, name it with --from"
        )
    conversion = convert(text, name=name, path=str(path), source=source, target=target)
    return ConvertedFile(path, text, path.with_name(name + target.locations[0].suffixes[0]), conversion)


def _output(converted: ConvertedFile, args: argparse.Namespace) -> None:
    if args.write:
        write_in_folder_of(converted.path, converted.target_path.name, converted.conversion.text)
        _write_message(str(converted.path), f"written to {converted.target_path}")
    elif args.diff:
        old, new = str(converted.path), str(converted.target_path)
        write_exact(text_diff(converted.text, converted.conversion.text, old, new))
    else:
        write_exact(converted.conversion.text)


def _write_message(name: str, sentence: str) -> None:
    write_error(f"{one_line(name)}: {one_line(sentence)}")


def _error_message(name: str, error: TtsrError) -> str:
    match error:
        case RuleUnreadableError() | RuleUnwritableError():
            return str(error)  # It has the path already.
        case ConversionError():
            return f"{name}: not converted: {error}"
        case _:
            return f"{name}: {error}"


def _stem(file_name: str) -> str:
    """Returns the rule's name: the name of its file without the prefix and the suffix of its dialect."""
    end = next((end for end in _ENDS if file_name.endswith(end) and file_name != end), "")
    stem = file_name.removesuffix(end)
    if end in HOOKIFY_RULES.suffixes and stem != HOOKIFY_RULES.prefix:
        return stem.removeprefix(HOOKIFY_RULES.prefix)
    return stem


def _dialect(dialect_id: str) -> Dialect:
    dialect = find_dialect(dialect_id)
    if dialect is None:
        raise TtsrError(f"there is no dialect {dialect_id}")
    return dialect
