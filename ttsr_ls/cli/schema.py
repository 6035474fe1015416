"""`ttsr-ls schema`: prints a JSON Schema, by which editors complete and check files."""

from __future__ import annotations

import argparse

from ttsr_ls.cli.exit_codes import ExitCode
from ttsr_ls.cli.printing.help_text import add_examples
from ttsr_ls.cli.printing.output import write_json
from ttsr_ls.errors import UsageError
from ttsr_ls.lint.config.json_schemas import config_schema, frontmatter_schema
from ttsr_ls.rule_tests.schema import case_file_schema
from ttsr_ls.syntax.dialects.table import DIALECTS, OMP

_RULE, _CONFIG, _TEST = "rule", "config", "test"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `schema`."""
    add_examples(
        parser,
        "KIND [options]",
        ("schema rule", "the frontmatter of rules of oh-my-pi"),
        ("schema test", "the files NAME.test.yml"),
    )
    parser.add_argument(
        "subject",
        choices=(_RULE, _CONFIG, _TEST),
        metavar="KIND",
        help="rule: the frontmatter of rules; config: the configuration of ttsr-ls; test: NAME.test.yml",
    )
    parser.add_argument(
        "--dialect",
        choices=[str(dialect.id) for dialect in DIALECTS],
        help=f"the dialect of the rules (default: {OMP.id})",
    )


def run(args: argparse.Namespace) -> int:
    """Prints the schema."""
    if args.subject != _RULE:
        if args.dialect is not None:
            raise UsageError(
                "--dialect is for the schema of rules; leave it out: the configuration and the tests are the same for "
                "all dialects"
            )
        schema = config_schema() if args.subject == _CONFIG else case_file_schema()
    else:
        wanted = args.dialect or OMP.id
        schema = frontmatter_schema(next(dialect for dialect in DIALECTS if dialect.id == wanted))
    write_json(schema, indent=2)
    return ExitCode.OK
